const lookEveryMs = 1000
/** Timers this late did not just wait for their turn: the device slept, or the tab stood still. */
const sleptMs = 5000

export type SleepParts = {
  now: () => number
  every: (ms: number, run: () => void) => void
  hidden: () => boolean
}

const device: SleepParts = {
  now: Date.now,
  every: (ms, run) => void setInterval(run, ms),
  hidden: () => document.hidden,
}

/**
 * Tells that the device slept: timers stood still while its clock went on. No event tells of a lid that was closed over
 * a visible tab. A hidden tab's timers are slowed down by the browser, and its return is told by another event.
 */
export function watchSleep(woke: () => void, parts: SleepParts = device): void {
  let last = parts.now()
  parts.every(lookEveryMs, () => {
    const now = parts.now()
    const slept = now - last > sleptMs
    last = now
    if (slept && !parts.hidden()) woke()
  })
}
