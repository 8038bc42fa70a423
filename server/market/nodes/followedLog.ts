import type { Clock, Report } from '../../platform/ports.ts'
import { createScheduler } from '../../platform/scheduler.ts'
import type { GapRow } from '../log/flushStore.ts'
import type { StoredFlushes } from './flushReader.ts'

/** `term` is that of the leader which wrote the flush. */
type Numbered = { id: number; at: number; term: number }

export type FollowedLogParts<F extends Numbered> = {
  clock: Clock
  /** Reads what is stored after a flush, in order: some of it at least, if there is any. */
  readAfter: (newest: Numbered) => Promise<StoredFlushes<F>>
  /** The flush after which this node continues. */
  newest: Numbered
  /**
   * Whether the next flush follows from what was applied: one from the bus that does not is read from the database, and if
   * that has the same, the log can no longer be followed.
   */
  continues: (flush: F) => boolean
  /** Called with each flush, in order and exactly once. */
  apply: (flush: F) => void
  /** Called with gaps from the database before the flushes that they may belong to, with some of them again and again. */
  applyGaps: (gaps: readonly GapRow[]) => void
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

/** The database has another log than this node. */
export class LogDiffersError extends Error {
  override readonly name = 'LogDiffersError'
}

/** After this long without a flush the database is read: there may be one that the bus has lost. */
export const silenceMaxMs = 200
/** Early flushes that wait for the ones before them; beyond that the database has them anyway. */
const waitingMax = 400

/**
 * Follows the leader's log: each flush once, in the order of their numbers. The bus is fast and may lose messages: a hole,
 * silence, the first flush of another leader (which may have written gaps without a flush) and whatever does not continue
 * the log are read from the database, with all gaps.
 */
export function followLog<F extends Numbered>(parts: FollowedLogParts<F>): FollowedLog<F> {
  const { clock, readAfter, onLost, report } = parts
  const sequence = new FlushSequence(parts)
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
        const stored = await readAfter(sequence.newest)
        guarded(() => sequence.applyStored(stored))
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

type SequenceParts<F extends Numbered> = Pick<
  FollowedLogParts<F>,
  'newest' | 'continues' | 'apply' | 'applyGaps'
>

/** Applies flushes in the order of their numbers. */
class FlushSequence<F extends Numbered> {
  readonly #parts: SequenceParts<F>
  readonly #waiting = new Map<number, F>()
  #newest: Numbered
  missed = 0

  constructor(parts: SequenceParts<F>) {
    this.#parts = parts
    this.#newest = parts.newest
  }

  get newest(): Numbered {
    return this.#newest
  }

  /** Whether flushes wait for the database: for one that did not come, or because the next one does not follow. */
  get hasHole(): boolean {
    return this.#waiting.size > 0
  }

  receive(flush: F): void {
    if (flush.id <= this.#newest.id) return
    if (flush.id === this.#newest.id + 1 && this.#follows(flush)) {
      this.#applyNext(flush)
      this.#applyWaiting()
    } else if (this.#waiting.size < waitingMax) this.#waiting.set(flush.id, flush)
  }

  applyStored({ flushes, gaps }: StoredFlushes<F>): void {
    this.#parts.applyGaps(gaps)
    for (const flush of flushes) {
      // The bus may have been faster than the database.
      if (flush.id <= this.#newest.id) continue
      const nextId = this.#newest.id + 1
      if (flush.id > nextId)
        throw new FlushMissingError(
          `flush ${nextId} is no longer in the database: this node was away too long`,
        )
      if (!this.#parts.continues(flush))
        throw new LogDiffersError(`flush ${flush.id} of the database does not continue the log of this node`)
      this.#applyNext(flush)
      this.missed += 1
    }
    for (const id of this.#waiting.keys()) if (id <= this.#newest.id) this.#waiting.delete(id)
    this.#applyWaiting()
  }

  #follows(flush: F): boolean {
    return flush.term === this.#newest.term && this.#parts.continues(flush)
  }

  #applyNext(flush: F): void {
    this.#parts.apply(flush)
    this.#newest = { id: flush.id, at: flush.at, term: flush.term }
  }

  #applyWaiting(): void {
    for (let next = this.#next(); next && this.#follows(next); next = this.#next()) {
      this.#waiting.delete(next.id)
      this.#applyNext(next)
    }
  }

  #next(): F | undefined {
    return this.#waiting.get(this.#newest.id + 1)
  }
}
