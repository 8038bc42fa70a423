import type { Clock, Report } from '../ports.ts'
import { createScheduler } from '../scheduler.ts'

type Numbered = { id: number; at: number }

export type FollowedLogParts<F extends Numbered> = {
  clock: Clock
  /** Reads the stored flushes after one, in order: some of them at least, if there are any. */
  readAfter: (newest: Numbered) => Promise<readonly F[]>
  /** The flush after which this node continues. */
  newest: Numbered
  /** Called with each flush, in order and exactly once. */
  apply: (flush: F) => void
  /** Called once if the log can no longer be followed: what this node shows would be wrong. */
  onLost: (error: unknown) => void
  report: Report
}

export type FollowedLog<F extends Numbered> = {
  /** A flush from the bus: in any order, any number of times. */
  receive(flush: F): void
  newestId(): number
  /** How long no flush has come from the bus, ms. */
  silentMs(): number
  stop(): Promise<void>
}

/** The node needs a flush that the database no longer has by itself: its ticks are only in chunks now. */
export class FlushMissingError extends Error {
  override readonly name = 'FlushMissingError'
}

/** After this long without a flush the database is read: there may be one that the bus has lost. */
export const silenceMaxMs = 200
/** Early flushes that wait for the ones before them; beyond that the database has them anyway. */
const waitingMax = 400

/**
 * Follows the leader's log: each flush once, in the order of their numbers. The bus is fast and may lose messages; a hole
 * or silence is read from the database.
 */
export function followLog<F extends Numbered>(parts: FollowedLogParts<F>): FollowedLog<F> {
  const { clock, readAfter, apply, onLost, report } = parts
  let { newest } = parts
  let lastReceivedAt = clock.now()
  const waiting = new Map<number, F>()
  let isLost = false

  const applyNext = (flush: F): void => {
    apply(flush)
    newest = { id: flush.id, at: flush.at }
  }
  const applyWaiting = (): void => {
    for (let next = waiting.get(newest.id + 1); next; next = waiting.get(newest.id + 1)) {
      waiting.delete(next.id)
      applyNext(next)
    }
  }
  const guarded = (work: () => void): void => {
    if (isLost) return
    try {
      work()
    } catch (error) {
      isLost = true
      onLost(error)
    }
  }
  const applyStored = (flushes: readonly F[]): void => {
    for (const flush of flushes) {
      // The bus may have been faster than the database.
      if (flush.id <= newest.id) continue
      if (flush.id > newest.id + 1)
        throw new FlushMissingError(
          `flush ${newest.id + 1} is no longer in the database: this node was away too long`,
        )
      applyNext(flush)
    }
    for (const id of waiting.keys()) if (id <= newest.id) waiting.delete(id)
    applyWaiting()
  }

  const scheduler = createScheduler(clock, report)
  const catchUp = scheduler.add({
    failure: 'reading flushes failed',
    firstMs: silenceMaxMs,
    retryMs: silenceMaxMs,
    run: async () => {
      const isSilent = clock.now() - lastReceivedAt >= silenceMaxMs
      if (isSilent || waiting.size > 0) {
        const flushes = await readAfter(newest)
        guarded(() => applyStored(flushes))
      }
      return silenceMaxMs
    },
  })
  return {
    receive: (flush) => {
      lastReceivedAt = clock.now()
      if (flush.id <= newest.id) return
      if (flush.id === newest.id + 1) {
        guarded(() => {
          applyNext(flush)
          applyWaiting()
        })
        return
      }
      if (waiting.size < waitingMax) waiting.set(flush.id, flush)
      catchUp.runNow()
    },
    newestId: () => newest.id,
    silentMs: () => clock.now() - lastReceivedAt,
    stop: () => scheduler.stop(),
  }
}
