import { useCallback, useSyncExternalStore } from 'react'

/** From this width the tab bar is a rail and pages have columns. */
export const wideMedia = '(min-width: 900px)'
/** Too low to stack ticker, chart and ticket: a phone in landscape has the ticket beside the chart. */
export const shortMedia = '(min-width: 600px) and (max-height: 499px)'
/** A list of products beside the chart of one. */
export const productListMedia = '(min-width: 1024px) and (min-height: 500px)'
/** The smallest phones. */
export const narrowMedia = '(max-width: 359px)'
/** A mouse or touchpad, which implies a keyboard. */
export const pointerMedia = '(hover: hover) and (pointer: fine)'

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
