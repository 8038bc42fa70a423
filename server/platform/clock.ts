import type { Clock } from './ports.ts'

/** Longer waits are split: a Node timer overflows after 24.8 days. */
const timerMaxMs = 2_000_000_000

/** The machine's monotonic clock in ms: the same instant in every thread of the process. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

/**
 * The venue's time minus the machine's monotonic clock, ms, taken from the wall clock now.
 * @param notBefore the newest instant an earlier run committed: the venue's time never goes back before it
 */
export const clockOffset = (notBefore = 0): number => Math.max(Date.now(), notBefore) - monotonicMs()

/**
 * The wall clock at the moment `offsetMs` was taken, advanced by the monotonic clock. It never runs backwards and
 * never jumps, even if the wall clock is changed. Threads with the same offset have the same time.
 */
export function systemClock(offsetMs = clockOffset()): Clock {
  return clockOf(() => Math.floor(offsetMs + monotonicMs()))
}

/** A clock that reads its time from `now`, which never runs backwards. */
export function clockOf(now: () => number): Clock {
  const at: Clock['at'] = (instant, run) => {
    let timer: NodeJS.Timeout
    const arm = (): void => {
      const wait = instant - now()
      timer =
        wait > timerMaxMs ? setTimeout(arm, timerMaxMs) : setTimeout(() => void run(), Math.max(0, wait))
    }
    arm()
    return () => clearTimeout(timer)
  }
  return { now, at }
}
