import type { Clock } from '../../server/platform/ports.ts'

export type ManualClock = Clock & {
  /** Advances time, runs due timers in order at their own instants, and waits for their promises. */
  advance(ms: number): Promise<void>
  advanceTo(instant: number): Promise<void>
  /** Advances time without running timers, as in a paused process; due timers run at the next advance. */
  leap(ms: number): void
  /** Advances time at once, and then runs each due timer once: for days, in which `advance` would run every second. */
  jumpBy(ms: number): Promise<void>
  pending(): number
}

/** A clock that only a test advances. */
export function manualClock(start = Date.UTC(2026, 0, 5, 2, 0, 0)): ManualClock {
  let time = start
  let order = 0
  const timers = new Map<number, { instant: number; run: () => void | Promise<void> }>()
  /** The earliest timer due by an instant; of several at one instant, the first that was set. */
  const next = (until: number): number | null => {
    let first: number | null = null
    let earliest = until + 1
    for (const [id, { instant }] of timers) {
      if (instant < earliest) [first, earliest] = [id, instant]
    }
    return first
  }
  const advanceTo = async (instant: number): Promise<void> => {
    for (let id = next(instant); id !== null; id = next(instant)) {
      const timer = timers.get(id)
      timers.delete(id)
      time = Math.max(time, timer?.instant ?? time)
      await timer?.run()
    }
    time = Math.max(time, instant)
  }
  return {
    now: () => time,
    at: (instant, run) => {
      const id = ++order
      timers.set(id, { instant, run })
      return () => void timers.delete(id)
    },
    advanceTo,
    advance: (ms) => advanceTo(time + ms),
    leap: (ms) => {
      time += ms
    },
    jumpBy: (ms) => {
      time += ms
      return advanceTo(time)
    },
    pending: () => timers.size,
  }
}
