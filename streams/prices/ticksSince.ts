import { map, type Observable, type SchedulerLike } from 'rxjs'
import type { TicksAnswer } from '../../contract/products.ts'
import { failureOf } from '../operators/failure.ts'
import type { Hub } from './hub.ts'
import { joinRuns, type Snapshot } from '../operators/joinRuns.ts'
import { lastSeqOf, runOf } from './tickRun.ts'
import type { Api } from '../parts.ts'
import type { Failure, Scale, TickRun, TicksEvent, TicksQuery } from '../types.ts'

/** More pages than the busiest product fills in half an hour. */
const pagesMax = 40

export type TicksSinceParts = {
  hub: Pick<Hub, 'run$'>
  api: Pick<Api, 'ticks'>
  scaleOf: (id: string) => Promise<Scale>
  scheduler: SchedulerLike
}

/**
 * The ticks of a product from the instant `from` on, without gaps: first the logged ones as one run, empty if there are
 * none, then the live ones. Ticks that the hub could not fill in are fetched here; only if they are pruned or too many,
 * the ticks continue after them. A transient failure is emitted and retried; after any other, ticks continue with the
 * next restart of the sequence.
 */
export function ticksSince$(id: string, from: number, parts: TicksSinceParts): Observable<TicksEvent> {
  const fetch = (lastSeq: number | undefined): Promise<Snapshot<TickRun>> =>
    lastSeq === undefined ? fetchTicks(id, { from }, parts) : fetchMissing(id, lastSeq, parts)
  return joinRuns(parts.hub.run$(id), fetch, parts.scheduler).pipe(
    map((event) => (event.kind === 'snapshot' ? { kind: 'run', run: event.value } : event)),
  )
}

async function fetchMissing(id: string, lastSeq: number, parts: TicksSinceParts): Promise<Snapshot<TickRun>> {
  try {
    return await fetchTicks(id, { afterSeq: lastSeq }, parts)
  } catch (error) {
    const failure = failureOf(error)
    const isPruned = failure.kind === 'rejected' && failure.code === 'PRUNED'
    if (!isPruned) throw error
    return { value: { seq0: lastSeq + 1, values: [] }, lastSeq, isCut: true }
  }
}

/** The logged ticks of a query, page by page. */
async function fetchTicks(id: string, first: TicksQuery, parts: TicksSinceParts): Promise<Snapshot<TickRun>> {
  const scale = await parts.scaleOf(id)
  const values: number[] = []
  let query = first
  let seq0: number | undefined
  let lastSeq = 'afterSeq' in first ? first.afterSeq : undefined
  for (let page = 0; page < pagesMax; page++) {
    const answer = await parts.api.ticks(id, query)
    const run = followingRun(answer, lastSeq, scale)
    for (const value of run.values) values.push(value)
    seq0 ??= run.seq0
    lastSeq = run.values.length > 0 ? lastSeqOf(run) : (lastSeq ?? answer.before?.seq)
    const isComplete = answer.complete || run.values.length === 0
    if (isComplete || lastSeq === undefined) return { value: { seq0, values }, lastSeq }
    query = { afterSeq: lastSeq }
  }
  return { value: { seq0: seq0 ?? 0, values }, lastSeq, isCut: true }
}

function followingRun(answer: TicksAnswer, after: number | undefined, scale: Scale): TickRun {
  const run = runOf(answer, scale)
  const follows = run && (after === undefined || run.values.length === 0 || run.seq0 === after + 1)
  const broken: Failure = { kind: 'broken' }
  if (!follows) throw Object.assign(new Error('the ticks of an answer are not in sequence'), broken)
  return run
}
