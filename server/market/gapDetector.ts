/**
 * A computed feed catches up after a pause up to this long: its ticks of that time are known. Beyond it the time is a
 * gap.
 */
export const catchUpMaxMs = 60_000
/** The most feed time one flush takes in: a backlog is worked off in bounded rows. */
export const flushSpanMaxMs = 1000

/** Whether a log is so far behind that the time up to now is a gap. */
export class GapDetector {
  #isCatchingUp: boolean

  /** @param isCatchingUp it was decided before that the time up to now is caught up with, however long that takes */
  constructor(isCatchingUp: boolean) {
    this.#isCatchingUp = isCatchingUp
  }

  isGap(behindMs: number): boolean {
    if (behindMs <= flushSpanMaxMs) this.#isCatchingUp = false
    return !this.#isCatchingUp && behindMs > catchUpMaxMs
  }
}
