import { dayMs } from '../../../../contract/time.ts'

/** Ticks that take this much longer than the fastest recent ones are late, ms. */
const lateMs = 1000
const windowMs = 60_000
/** An instant further ahead of our clock than the exchange's clock usually is, or further behind, is wrong. */
const aheadMaxMs = 5000
const behindMaxMs = 60_000
/** A smallest lag that is smaller by this much counts only once it has lasted: some ticks may be ahead by mistake. */
const [fasterMs, fasterForMs] = [500, 5000]

export type LagVerdict = 'on time' | 'late' | 'wrong'

/**
 * How late one symbol's ticks are on one line. The exchange's clock and ours may differ by seconds, so a lag is compared
 * with the smallest one of the last one to two minutes, and never with zero.
 */
export class Lag {
  #windowFrom = Number.NEGATIVE_INFINITY
  #fasterSince: number | null = null
  #smallest = Number.POSITIVE_INFINITY
  #smallestBefore = Number.POSITIVE_INFINITY
  #wrongSince: number | null = null
  #wrongLag = 0

  /**
   * Whether something with the exchange's instant `sourceAt` arrives on time at `now`, late, or with a wrong instant. An
   * instant that is wrong in the same way for a minute is a clock that was set: it is followed.
   * @param ownDelayMs how long it may have waited for this process
   */
  judge(sourceAt: number, now: number, ownDelayMs = 0): LagVerdict {
    const lag = now - sourceAt
    const isBehind = lag - this.#usualOr(0) > behindMaxMs + ownDelayMs
    if ((isBehind || this.isAhead(sourceAt, now)) && !this.#isClockSet(lag, now)) return 'wrong'
    this.#wrongSince = null
    if (lag >= this.#usualOr(0) - fasterMs) this.#fasterSince = null
    else if (now - (this.#fasterSince ??= now) < fasterForMs) return 'on time'
    if (now - this.#windowFrom > windowMs) {
      this.#windowFrom = now
      this.#smallestBefore = this.#smallest
      this.#smallest = lag
    } else this.#smallest = Math.min(this.#smallest, lag)
    return lag - this.#usualOr(lag) <= lateMs + ownDelayMs ? 'on time' : 'late'
  }

  /** Whether an instant is of the future, by the exchange's clock as far as it is known. */
  isAhead(sourceAt: number, now: number): boolean {
    const usual = Math.min(this.#smallest, this.#smallestBefore)
    const maxMs = usual === Number.POSITIVE_INFINITY ? behindMaxMs : Math.max(0, -usual) + aheadMaxMs
    return sourceAt - now > maxMs
  }

  /** About when something was traded that arrives at `now`. */
  expectedAt(now: number): number {
    return now - this.#usualOr(0)
  }

  #usualOr(unknown: number): number {
    const usual = Math.min(this.#smallest, this.#smallestBefore)
    return usual === Number.POSITIVE_INFINITY ? unknown : usual
  }

  #isClockSet(lag: number, now: number): boolean {
    if (this.#wrongSince === null || Math.abs(lag - this.#wrongLag) > aheadMaxMs) {
      this.#wrongSince = now
      this.#wrongLag = lag
    }
    if (now - this.#wrongSince <= windowMs || Math.abs(lag) > dayMs) return false
    this.#windowFrom = now
    this.#smallest = lag
    this.#smallestBefore = Number.POSITIVE_INFINITY
    return true
  }
}
