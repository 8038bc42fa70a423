import { clockOf, monotonicMs } from '../clock.ts'
import type { Clock } from '../ports.ts'

/** The leader's time on another node. */
export type LeaderClock = Clock & {
  /** An instant that the leader has reached: of a flush that was just applied. */
  observe(instant: number): void
  /** Whether the leader may have reached an instant by now: not if that is a step against this machine's monotonic clock. */
  isPlausible(instant: number): boolean
  /** Whether a leader's instants have arrived. Before that the time is only as late as what was stored at the start. */
  hasFollowed(): boolean
  /** This node leads: from now on its own time counts. `offsetMs` is as of {@link systemClock}. */
  lead(offsetMs: number): void
}

/** The clocks of two machines drift apart by less between two flushes. */
const stepMaxMs = 1000
/** The fastest arrival of this long decides: a slow one says only that the leader's time is later than that. */
const windowMs = 30_000

/**
 * Starts at an instant that the leader has certainly reached, follows the instants that arrive from it, and never runs
 * backwards. Countdowns of members are as exact as the fastest of the last arrivals, whatever this machine's clock says.
 * @param onStep called once with how far an implausible instant is ahead, until one was observed again
 */
export function createLeaderClock(
  reached: number,
  monotonic: () => number = monotonicMs,
  onStep: (aheadMs: number) => void = () => undefined,
): LeaderClock {
  let offsets: { at: number; offset: number }[] = [{ at: monotonic(), offset: reached - monotonic() }]
  let newest = reached
  let ownOffset: number | null = null
  let isFollowing = false
  let isStepTold = false
  const now = (): number => {
    const offset = ownOffset ?? offsets[0]?.offset ?? 0
    newest = Math.max(newest, Math.floor(monotonic() + offset))
    return newest
  }
  return {
    ...clockOf(now),
    observe: (instant) => {
      isFollowing = true
      isStepTold = false
      const at = monotonic()
      const offset = instant - at
      // Largest first, and each later than the one before: those that can still become the largest of the window.
      offsets = offsets.filter((each) => each.offset > offset && at - each.at < windowMs)
      offsets.push({ at, offset })
    },
    isPlausible: (instant) => {
      const aheadMs = instant - now()
      if (aheadMs <= stepMaxMs) return true
      // Before the first one the time is only that of the newest flush at the start.
      if (isFollowing && !isStepTold) onStep(aheadMs)
      isStepTold = true
      return false
    },
    hasFollowed: () => isFollowing,
    lead: (offsetMs) => {
      ownOffset = offsetMs
    },
  }
}
