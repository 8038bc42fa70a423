import {
  EMPTY,
  Observable,
  Subject,
  defer,
  map,
  retry,
  switchMap,
  type ObservableInput,
  type SchedulerLike,
} from 'rxjs'
import { failureOf, isTransient } from './failure.ts'
import { countOf, lastSeqOf, runAfter } from '../prices/tickRun.ts'
import type { Failure, TickRun } from '../types.ts'
import { retryPause$ } from './attempts.ts'

const retryMinMs = 500
/** Ticks that may be queued while the snapshot is loading; beyond, they are dropped and a newer snapshot is fetched. */
const queuedTicksMax = 20_000

export type Snapshot<S> = {
  value: S
  /** The newest tick that it contains, which the live ticks must follow; undefined if any may follow. */
  lastSeq: number | undefined
  /** Ticks between this snapshot and the live ones are lost permanently. */
  isCut?: boolean
}
export type JoinEvent<S> =
  | { kind: 'snapshot'; value: S }
  | { kind: 'run'; run: TickRun }
  /** A fetch failed; if the failure is transient, it is retried. */
  | { kind: 'failed'; failure: Failure }

const doesNotJoin = new Error('ticks are missing between the snapshot and the live ones')

/**
 * A snapshot, then the live ticks after it, each counted once. The snapshot is fetched when the ticks start or restart,
 * and again if ticks are missing between the two. Never fails.
 * @param fetch gets the newest tick so far; undefined if there is none
 */
export function joinRuns<S>(
  run$: Observable<TickRun>,
  fetch: (lastSeq: number | undefined) => ObservableInput<Snapshot<S>>,
  scheduler: SchedulerLike,
): Observable<JoinEvent<S>> {
  return new Observable<JoinEvent<S>>((subscriber) => {
    let lastSeq: number | undefined
    /** The tick that the next run must follow; undefined if it may be any. */
    let joinsAfter: number | undefined
    /** The runs since the start; undefined once they are joined. */
    let queue: TickRun[] | undefined = []
    let queuedTicks = 0
    const fetches = new Subject<void>()

    const beginFetch = (...first: TickRun[]): void => {
      queue = first
      queuedTicks = 0
      fetches.next()
    }
    const emit = (run: TickRun): void => {
      const fresh = lastSeq === undefined ? run : runAfter(run, lastSeq)
      if (fresh.values.length === 0) return
      lastSeq = joinsAfter = lastSeqOf(fresh)
      subscriber.next({ kind: 'run', run: fresh })
    }
    const join = (snapshot: Snapshot<S>): void => {
      const runs = queue ?? []
      const mustFollow = snapshot.isCut === true ? undefined : snapshot.lastSeq
      const hasOverflowed = queuedTicks > queuedTicksMax
      if (hasOverflowed) [queue, queuedTicks] = [[], 0]
      if (hasOverflowed || isHole(mustFollow, runs[0])) throw doesNotJoin
      queue = undefined
      joinsAfter = mustFollow
      lastSeq = snapshot.lastSeq ?? lastSeq
      subscriber.next({ kind: 'snapshot', value: snapshot.value })
      for (const run of runs) emit(run)
    }
    const retryDelay = (error: unknown, count: number): Observable<unknown> => {
      if (error !== doesNotJoin) {
        const failure = failureOf(error)
        subscriber.next({ kind: 'failed', failure })
        if (!isTransient(failure)) return EMPTY
      }
      return retryPause$(count, retryMinMs, scheduler)
    }
    const attempt$ = defer(() => fetch(lastSeq)).pipe(map(join), retry({ delay: retryDelay }))
    subscriber.add(fetches.pipe(switchMap(() => attempt$)).subscribe())
    subscriber.add(
      run$.subscribe((run) => {
        if (run.values.length === 0) beginFetch()
        else if (queue) {
          queuedTicks += countOf(run)
          if (queuedTicks <= queuedTicksMax) queue.push(run)
        } else if (isHole(joinsAfter, run)) beginFetch(run)
        else emit(run)
      }),
    )
  })
}

const isHole = (after: number | undefined, run: TickRun | undefined): boolean =>
  after !== undefined && run !== undefined && run.seq0 > after + 1
