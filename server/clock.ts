import type { Clock } from './ports.ts'

/** Longer waits are cut in pieces: a timer of Node's overflows after 24.8 days. */
const timerMaxMs = 2_000_000_000

/** The machine's monotonic clock in ms: the same instant in every thread of the process. */
const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

/**
 * What the machine's monotonic clock lacks to the venue's time, ms, as the wall clock stands now.
 * @param notBefore the newest instant an earlier run committed: the venue's time never goes back behind it
 */
export const clockOffset = (notBefore = 0): number => Math.max(Date.now(), notBefore) - monotonicMs()

/**
 * The wall clock as it stood when `offsetMs` was taken, carried on by the monotonic one: it never runs backwards and
 * never jumps, whatever is done to the wall clock meanwhile. Threads with the same offset tell the same time.
 */
export function systemClock(offsetMs = clockOffset()): Clock {
  const now = (): number => Math.floor(offsetMs + monotonicMs())
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
