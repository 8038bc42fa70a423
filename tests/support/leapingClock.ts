import type { Clock } from '../../server/platform/ports.ts'

/** The system clock, which a test can move forward: the skipped time never happens, and timers that fell due run at once. */
export function leapingClock(): Clock & { leap(ms: number): void } {
  let ahead = 0
  const pending = new Set<() => void>()
  const now = (): number => Date.now() + ahead
  return {
    now,
    at: (instant, run) => {
      let timer: NodeJS.Timeout | undefined
      const arm = (): void => {
        clearTimeout(timer)
        timer = setTimeout(
          () => {
            pending.delete(arm)
            void run()
          },
          Math.max(0, instant - now()),
        )
      }
      pending.add(arm)
      arm()
      return () => {
        pending.delete(arm)
        clearTimeout(timer)
      }
    },
    leap: (ms) => {
      ahead += ms
      for (const arm of pending) arm()
    },
  }
}
