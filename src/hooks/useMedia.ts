import { useCallback, useSyncExternalStore } from 'react'

/** From here on the tab bar is a rail and pages have columns. */
export const wideMedia = '(min-width: 900px)'
/** Too low for a column of figures, chart and ticket: a phone lying down has the ticket beside the chart. */
export const shortMedia = '(min-width: 600px) and (max-height: 499px)'
/** The smallest phones. */
export const narrowMedia = '(max-width: 359px)'
/** A mouse or touchpad, which hardly comes without a keyboard. */
export const pointerMedia = '(hover: hover) and (pointer: fine)'

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
