import type { Clock } from '../../server/ports.ts'

export type ManualClock = Clock & {
  /** Advances time, runs due timers in order at their own instants, and waits for their promises. */
  advance(ms: number): Promise<void>
  advanceTo(instant: number): Promise<void>
  /** Advances time without running timers, as in a paused process; due timers run at the next advance. */
  leap(ms: number): void
  pending(): number
}

/** A clock that only a test advances. */
export function manualClock(start = Date.UTC(2026, 0, 5, 2, 0, 0)): ManualClock {
  let time = start
  let order = 0
  const timers = new Map<number, { instant: number; run: () => void | Promise<void> }>()
  const next = (until: number) =>
    [...timers]
      .filter(([, t]) => t.instant <= until)
      .sort((a, b) => a[1].instant - b[1].instant || a[0] - b[0])[0]
  const advanceTo = async (instant: number): Promise<void> => {
    for (let due = next(instant); due; due = next(instant)) {
      timers.delete(due[0])
      time = Math.max(time, due[1].instant)
      await due[1].run()
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
    pending: () => timers.size,
  }
}
