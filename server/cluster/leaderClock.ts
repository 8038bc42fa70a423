import { clockOf, monotonicMs } from '../clock.ts'
import type { Clock } from '../ports.ts'

/** The leader's time on another node. */
export type LeaderClock = Clock & {
  /** An instant that the leader has reached: of a flush that has just arrived. */
  observe(instant: number): void
  /** This node leads: from now on its own time counts. `offsetMs` is as of {@link systemClock}. */
  lead(offsetMs: number): void
}

/** The fastest arrival of this long decides: a slow one says only that the leader's time is later than that. */
const windowMs = 30_000

/**
 * Starts at an instant that the leader has certainly reached, follows the instants that arrive from it, and never runs
 * backwards. Countdowns of members are as exact as the fastest of the last arrivals, whatever this machine's clock says.
 */
export function createLeaderClock(reached: number, monotonic: () => number = monotonicMs): LeaderClock {
  let offsets: { at: number; offset: number }[] = [{ at: monotonic(), offset: reached - monotonic() }]
  let newest = reached
  let ownOffset: number | null = null
  const now = (): number => {
    const offset = ownOffset ?? offsets[0]?.offset ?? 0
    newest = Math.max(newest, Math.floor(monotonic() + offset))
    return newest
  }
  return {
    ...clockOf(now),
    observe: (instant) => {
      const at = monotonic()
      const offset = instant - at
      // Largest first, and each later than the one before: those that can still become the largest of the window.
      offsets = offsets.filter((each) => each.offset > offset && at - each.at < windowMs)
      offsets.push({ at, offset })
    },
    lead: (offsetMs) => {
      ownOffset = offsetMs
    },
  }
}
