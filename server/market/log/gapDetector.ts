/**
 * After a pause of up to this long the log catches up, since the feed can compute the ticks of that time. A longer
 * pause is a gap.
 */
export const catchUpMaxMs = 60_000
/** The longest feed time of one flush: a backlog is processed in rows of bounded size. */
export const flushSpanMaxMs = 1000

/** Decides whether a log is so far behind that the time up to now is a gap. */
export class GapDetector {
  #isCatchingUp: boolean

  /** @param isCatchingUp the log catches up with the time until now, however long the start takes: decided before */
  constructor(isCatchingUp: boolean) {
    this.#isCatchingUp = isCatchingUp
  }

  isGap(behindMs: number): boolean {
    if (behindMs <= flushSpanMaxMs) this.#isCatchingUp = false
    return !this.#isCatchingUp && behindMs > catchUpMaxMs
  }
}
