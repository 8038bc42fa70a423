import type { Clock } from '../../server/ports.ts'

/** The machine's own clock, which a test can make leap: the time between never was, and what fell due runs at once. */
export function leapingClock(): Clock & { leap(ms: number): void } {
  let ahead = 0
  const waiting = new Set<() => void>()
  const now = (): number => Date.now() + ahead
  return {
    now,
    at: (instant, run) => {
      let timer: NodeJS.Timeout | undefined
      const arm = (): void => {
        clearTimeout(timer)
        timer = setTimeout(
          () => {
            waiting.delete(arm)
            void run()
          },
          Math.max(0, instant - now()),
        )
      }
      waiting.add(arm)
      arm()
      return () => {
        waiting.delete(arm)
        clearTimeout(timer)
      }
    },
    leap: (ms) => {
      ahead += ms
      for (const arm of waiting) arm()
    },
  }
}
