import { performance } from 'node:perf_hooks'
import type { Clock } from './ports.ts'

/** Longer waits are cut in pieces: a timer of Node's overflows after 24.8 days. */
const timerMaxMs = 2_000_000_000

/**
 * The machine's wall clock at start, carried on by its monotonic one: it never runs backwards and never jumps,
 * whatever is done to the wall clock meanwhile. `notBefore` is the newest instant an earlier run committed.
 */
export function systemClock(notBefore = 0): Clock {
  const offset = Math.max(Date.now(), notBefore) - performance.now()
  const now = (): number => Math.floor(offset + performance.now())
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
