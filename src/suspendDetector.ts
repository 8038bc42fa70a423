const checkIntervalMs = 1000
/** Timers this late did not just wait for their turn: the device slept, or the tab stood still. */
const suspendThresholdMs = 5000

export type SuspendDetectorOptions = {
  now: () => number
  every: (ms: number, run: () => void) => void
  isHidden: () => boolean
}

const browserOptions: SuspendDetectorOptions = {
  now: Date.now,
  every: (ms, run) => void setInterval(run, ms),
  isHidden: () => document.hidden,
}

/**
 * Tells that the device slept: timers stood still while its clock went on. No event tells of a lid that was closed over
 * a visible tab. A hidden tab's timers are slowed down by the browser, and its return is told by another event.
 */
export function detectSuspend(onResume: () => void, options: SuspendDetectorOptions = browserOptions): void {
  let lastCheckAt = options.now()
  options.every(checkIntervalMs, () => {
    const now = options.now()
    const wasSuspended = now - lastCheckAt > suspendThresholdMs
    lastCheckAt = now
    if (wasSuspended && !options.isHidden()) onResume()
  })
}
