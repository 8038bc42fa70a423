/** Ticks that take this much longer than the fastest recent one are late, ms. */
const lateMs = 1000
const windowMs = 60_000

/**
 * How late the ticks of a line are. The exchange's clock and ours may differ by seconds, so a lag is compared with the
 * smallest one of the last one to two minutes, and never with zero.
 */
export class Lag {
  #windowFrom = Number.NEGATIVE_INFINITY
  #smallest = Number.POSITIVE_INFINITY
  #smallestBefore = Number.POSITIVE_INFINITY

  /**
   * Whether something with the exchange's instant `sourceAt` arrives on time at `now`.
   * @param ownDelayMs how long it may have waited for this process
   */
  isOnTime(sourceAt: number, now: number, ownDelayMs = 0): boolean {
    const lag = now - sourceAt
    if (now - this.#windowFrom > windowMs) {
      this.#windowFrom = now
      this.#smallestBefore = this.#smallest
      this.#smallest = lag
    }
    this.#smallest = Math.min(this.#smallest, lag)
    return lag - Math.min(this.#smallest, this.#smallestBefore) <= lateMs + ownDelayMs
  }
}
