/**
 * A computed feed catches up after a pause up to this long: its ticks of that time are known. Beyond it the time is a
 * gap.
 */
export const catchUpMaxMs = 60_000
/** The most feed time one flush takes in: a backlog is worked off in bounded rows. */
export const spanMaxMs = 1000

/** Whether a log is so far behind that the time up to now is a gap. */
export class Lateness {
  #catchingUp: boolean

  /** @param catchingUp it was decided before that the time up to now is caught up with, however long that takes */
  constructor(catchingUp: boolean) {
    this.#catchingUp = catchingUp
  }

  isGap(behindMs: number): boolean {
    if (behindMs <= spanMaxMs) this.#catchingUp = false
    return !this.#catchingUp && behindMs > catchUpMaxMs
  }
}
