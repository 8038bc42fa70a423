const checkIntervalMs = 1000
/** A timer this late was not just delayed: the device slept, or the tab was suspended. */
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
 * Detects that the device slept: timers stopped while its clock advanced. There is no event for closing a laptop's lid
 * over a visible tab. A hidden tab's timers are throttled by the browser, and its return has another event.
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
