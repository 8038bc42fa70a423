import type { Clock, Report } from '../../ports.ts'
import { createScheduler } from '../../scheduler.ts'

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
  /** How long no flush has come from the bus, ms. */
  silentMs(): number
  /** Whether flushes wait for one that did not come. */
  hasHole(): boolean
  /** How many flushes came from the database, because the bus had not brought them. */
  missed(): number
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
  const sequence = new FlushSequence(parts.newest, apply)
  let lastReceivedAt = clock.now()
  let isLost = false
  const guarded = (work: () => void): void => {
    if (isLost) return
    try {
      work()
    } catch (error) {
      isLost = true
      onLost(error)
    }
  }
  const scheduler = createScheduler(clock, report)
  const catchUp = scheduler.add({
    failure: 'reading flushes failed',
    firstMs: silenceMaxMs,
    retryMs: silenceMaxMs,
    run: async () => {
      const isSilent = clock.now() - lastReceivedAt >= silenceMaxMs
      if (isSilent || sequence.hasHole) {
        const flushes = await readAfter(sequence.newest)
        guarded(() => sequence.applyStored(flushes))
      }
      return silenceMaxMs
    },
  })
  return {
    receive: (flush) => {
      lastReceivedAt = clock.now()
      guarded(() => sequence.receive(flush))
      if (sequence.hasHole) void catchUp.runNow()
    },
    silentMs: () => clock.now() - lastReceivedAt,
    hasHole: () => sequence.hasHole,
    missed: () => sequence.missed,
    stop: () => scheduler.stop(),
  }
}

/** Applies flushes in the order of their numbers. */
class FlushSequence<F extends Numbered> {
  readonly #apply: (flush: F) => void
  readonly #waiting = new Map<number, F>()
  #newest: Numbered
  missed = 0

  constructor(newest: Numbered, apply: (flush: F) => void) {
    this.#newest = newest
    this.#apply = apply
  }

  get newest(): Numbered {
    return this.#newest
  }

  /** Whether flushes wait for one that did not come. */
  get hasHole(): boolean {
    return this.#waiting.size > 0
  }

  receive(flush: F): void {
    if (flush.id <= this.#newest.id) return
    if (flush.id > this.#newest.id + 1) {
      if (this.#waiting.size < waitingMax) this.#waiting.set(flush.id, flush)
      return
    }
    this.#applyNext(flush)
    this.#applyWaiting()
  }

  applyStored(flushes: readonly F[]): void {
    for (const flush of flushes) {
      // The bus may have been faster than the database.
      if (flush.id <= this.#newest.id) continue
      const nextId = this.#newest.id + 1
      if (flush.id > nextId)
        throw new FlushMissingError(
          `flush ${nextId} is no longer in the database: this node was away too long`,
        )
      this.#applyNext(flush)
      this.missed += 1
    }
    for (const id of this.#waiting.keys()) if (id <= this.#newest.id) this.#waiting.delete(id)
    this.#applyWaiting()
  }

  #applyNext(flush: F): void {
    this.#apply(flush)
    this.#newest = { id: flush.id, at: flush.at }
  }

  #applyWaiting(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#waiting.delete(next.id)
      this.#applyNext(next)
    }
  }

  #next(): F | undefined {
    return this.#waiting.get(this.#newest.id + 1)
  }
}
