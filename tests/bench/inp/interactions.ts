type Interactions = {
  /** What is measured from now on is of the next tap. */
  begin: () => void
  /** Until the frame that answers the tap is presented, ms, in steps of 8; below 16 it is 0. */
  longest: () => Promise<number>
  /** The layout shifts so far that no tap explains, as the browser weighs them. */
  shifts: () => number
}

declare global {
  var interactions: Interactions
}

/** Runs in the page before its scripts: measures taps as Interaction to Next Paint does, and layout shifts. */
export function watchInteractions(): void {
  /** A tap that has no entry after this long was shorter than the shortest that browsers report. */
  const waitMaxMs = 1000
  let longest = 0
  let shifts = 0
  let onEntry: () => void = () => undefined
  const isOfTap = (entry: PerformanceEntry): entry is PerformanceEventTiming =>
    entry instanceof PerformanceEventTiming && (entry.interactionId ?? 0) > 0
  const taps = new PerformanceObserver((list) => {
    for (const entry of list.getEntries().filter(isOfTap)) longest = Math.max(longest, entry.duration)
    if (longest > 0) onEntry()
  })
  // TypeScript's library has no threshold yet.
  taps.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  const layout = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
    })[])
      if (!entry.hadRecentInput) shifts += entry.value
  })
  layout.observe({ type: 'layout-shift', buffered: true })
  globalThis.interactions = {
    begin: () => {
      longest = 0
    },
    longest: async () => {
      if (longest === 0) {
        await new Promise<void>((resolve) => {
          onEntry = resolve
          setTimeout(resolve, waitMaxMs)
        })
      }
      return longest
    },
    shifts: () => shifts,
  }
}
