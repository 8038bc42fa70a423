import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { dayMs, hourMs, minuteMs } from '../../../contract/time.ts'
import { verifyActChain } from '../../notices/index.ts'
import { createFreshValue } from '../../platform/freshValue.ts'
import { checkLedger } from '../../money/index.ts'
import { LogCorruptError } from '../../platform/logCorruptError.ts'
import { verifyChunks } from '../../market/index.ts'
import type { Module } from '../../platform/module.ts'
import type { Report } from '../../platform/ports.ts'
import { TaskTracker } from '../../platform/taskTracker.ts'
import { FlushChain } from './checkedLog.ts'
import { createGapComparison } from './gaps.ts'
import { readFindings, readVerifiedHeads, readWholeLogCheck, type NightlyFindings } from './findings.ts'
import { settleAgain } from './results.ts'
import { createStore } from './store.ts'
import type { NightlyChecksParts } from './parts.ts'

export type NightlyChecks = {
  /** The findings so far; the leader writes it, and every node reads it. */
  found(): Promise<NightlyFindings>
  /**
   * Call when a request has met a damaged place of the log: it counts like one that a check finds. On a node that does
   * not lead nothing happens, and the leader finds it by the night.
   */
  onLogDamaged: (error: LogCorruptError) => void
  /** Settles again what was settled up to some seconds ago. */
  checkResults(): Promise<void>
  /** Verifies the chunks of the tick log that were not verified before, and the first time of a night all others again. */
  checkLog(): Promise<void>
  /** Checks all books against their causes. */
  checkBooks(): Promise<void>
  /** Checks the hash chain of what the staff did. */
  checkActions(): Promise<void>
  /** How many gaps of this node differ from those of the database; null before the first comparison. */
  differingGaps(): number | null
}

const resultsEveryMs = minuteMs
const logEveryMs = 10 * minuteMs
/** Whether another night has begun is looked at this often. */
const booksEveryMs = minuteMs
/** A statement may be committed this long after the instant that it names. */
const settledAgoMs = 5000
/** An order settles this long after its close at the latest, or as soon as the venue runs again. */
const settledLateMaxMs = 60 * minuteMs
const findingsFreshMs = 10_000
/** Work in the background takes this part of a core at most. */
const share = 0.2
/** Shorter pieces of work need no pause; other work only gets its turn. */
const sliceMs = 2
const sha = (text: string): string => hash('sha256', text)

/**
 * The venue checks itself at the node that leads: each minute it settles again what was settled in the last one, at each
 * start and every ten minutes it verifies the new part of the tick log, each night (UTC) all of it again and all books from
 * their causes, and at each start and each night the chain of what the staff did. Every node compares the gaps that it serves.
 * A difference is reported, written to the act log and public; nothing is repaired.
 */
export function createNightlyChecks(parts: NightlyChecksParts): NightlyChecks & Module {
  const { db, clock, report } = parts
  const aborting = new AbortController()
  const checks = createChecks(parts, () => throttle(aborting.signal))
  const checkBooksOfNight = async (): Promise<void> => {
    const { books } = await readFindings(db)
    if (books === null || dayOf(books.at) < dayOf(clock.now())) await checks.checkBooks()
  }

  /** A check may take longer than a job should: it runs beside the jobs, once at a time. */
  const running = new Map<string, Promise<void>>()
  const inBackground = (name: string, check: () => Promise<void>) => async (): Promise<void> => {
    if (running.has(name) || aborting.signal.aborted) return
    const run = check()
      .catch((error: unknown) => {
        if (!aborting.signal.aborted) report(`${name} failed`, error)
      })
      .finally(() => running.delete(name))
    running.set(name, run)
  }
  const checkActions = inBackground('checking the act log', checks.checkActions)
  const checkActionsOfNight = async (): Promise<void> => {
    const { actions } = await readFindings(db)
    if (actions !== null && dayOf(actions.at) < dayOf(clock.now())) await checks.checkActions()
  }
  let isLeading = false
  const noting = new TaskTracker()
  const verifyLog = inBackground('verifying the tick log', checks.checkLog)
  const gaps = createGapComparison(parts)
  return {
    differingGaps: gaps.differing,
    found: createFreshValue(clock, findingsFreshMs, () => readFindings(db)),
    ...checks,
    onLogDamaged: (error) => {
      if (isLeading) void noting.add(checks.noteDamage(error))
    },
    start: async () => {
      isLeading = true
      await verifyLog()
      await checkActions()
    },
    stop: async () => {
      isLeading = false
      aborting.abort()
      await Promise.all([...running.values(), noting.idle()])
    },
    jobs: [
      gaps.job,
      {
        name: 'settle again',
        everyMs: resultsEveryMs,
        run: inBackground('settling again', checks.checkResults),
      },
      { name: 'verify the tick log', everyMs: logEveryMs, run: verifyLog },
      {
        name: 'check the books',
        everyMs: booksEveryMs,
        run: inBackground('checking the books', checkBooksOfNight),
      },
      {
        name: 'check the act log',
        everyMs: booksEveryMs,
        run: inBackground('checking the act log', checkActionsOfNight),
      },
    ],
  }
}

type Checks = Omit<NightlyChecks, 'found' | 'onLogDamaged' | 'differingGaps'> & {
  /** Counts a damaged place unless it is known. */
  noteDamage: (error: LogCorruptError) => Promise<void>
}

/** @param pause returns what a check waits for between pieces of work */
function createChecks(parts: NightlyChecksParts, pause: () => () => Promise<void>): Checks {
  const { db, clock } = parts
  const chain = new FlushChain(sha)
  const store = createStore(parts)

  const checkResults = async (): Promise<void> => {
    const { results: before } = await readFindings(db)
    const until = clock.now() - settledAgoMs
    const after = before?.until ?? 0
    if (until <= after) return
    const acceptedFrom = after - settledLateMaxMs - longestOrderMs(parts.market)
    try {
      const result = await settleAgain(db, chain, { after, until, acceptedFrom }, pause())
      await store.results(until, result)
    } catch (error) {
      if (!(error instanceof LogCorruptError)) throw error
      // Results cannot be checked from a damaged log: they are checked once it is whole again.
      await store.damage(error)
    }
  }

  const checkLog = async (): Promise<void> => {
    const startedAt = performance.now()
    const waitABit = pause()
    let isComplete = true
    const goOn = (): Promise<boolean> =>
      waitABit().then(
        () => true,
        () => (isComplete = false),
      )
    const whole = await readWholeLogCheck(db)
    const from = await readVerifiedHeads(db)
    const added = await verifyChunks(db, sha, { from, pause: goOn })
    await store.heads(added.heads)

    // Storage may damage what was verified once: each night that is read again too.
    const isAnotherNight = whole === null || dayOf(whole.at) < dayOf(clock.now())
    const again =
      isAnotherNight && isComplete ? await verifyChunks(db, sha, { until: from, pause: goOn }) : null
    const found = [...added.violations, ...(again?.violations ?? [])]
    // The other check may have found a place meanwhile.
    const known = new Set((await readWholeLogCheck(db))?.places)
    const fresh = found.filter(({ place }) => !known.has(place) && known.add(place))
    if (isAnotherNight && isComplete)
      await store.wholeLog({ at: clock.now(), places: found.map(({ place }) => place) })
    else if (fresh.length > 0) await store.wholeLog({ at: whole?.at ?? 0, places: [...known] })
    const findings = fresh.map(({ message }) => message)
    const ms = Math.round(performance.now() - startedAt)
    await store.log({ ticks: added.ticks + chain.takeCount(), ms, findings })
  }

  const checkBooks = async (): Promise<void> => {
    const startedAt = performance.now()
    const check = await checkLedger(db, pause())
    await store.books({ ...check, ms: Math.round(performance.now() - startedAt) })
  }
  const checkActions = async (): Promise<void> => {
    const startedAt = performance.now()
    const { actions } = await readFindings(db)
    const check = await verifyActChain(db, actions?.head, pause())
    await store.actions({ ...check, ms: Math.round(performance.now() - startedAt) })
  }
  return {
    noteDamage: inTurn(noteDamageIn(store, parts.report)),
    checkResults: inTurn(checkResults),
    checkLog: inTurn(checkLog),
    checkBooks: inTurn(checkBooks),
    checkActions: inTurn(checkActions),
  }
}

const noteDamageIn =
  (store: ReturnType<typeof createStore>, report: Report) =>
  async (error: LogCorruptError): Promise<void> => {
    try {
      await store.damage(error)
    } catch (failure) {
      report('storing a damaged place of the tick log failed', failure)
    }
  }

/** Runs one call after another: two at once would count twice what both find. */
function inTurn<Args extends unknown[]>(
  check: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  let last = Promise.resolve()
  return (...args) => (last = last.catch(() => undefined).then(() => check(...args)))
}

const dayOf = (at: number): number => Math.floor(at / dayMs)

/** The longest time that an order runs. */
const longestOrderMs = (market: NightlyChecksParts['market']): number =>
  Math.max(
    hourMs,
    ...market.ids.flatMap((id) => market.settings(id)?.durations.map(({ seconds }) => seconds * 1000) ?? []),
  )

/** Pauses between pieces of work so that it takes its share of the time. Rejects once it is to stop. */
function throttle(signal: AbortSignal): () => Promise<void> {
  let since = performance.now()
  return async () => {
    signal.throwIfAborted()
    const worked = performance.now() - since
    await wait(worked < sliceMs ? 0 : worked * (1 / share - 1), undefined, { signal })
    since = performance.now()
  }
}
