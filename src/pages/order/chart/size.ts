import { useMedia, wideMedia } from '../../../hooks/useMedia.ts'

/** Space above the plot for the markers' names, and below it for their times. */
export const headHeight = 22
export const footHeight = 18
/** Used before the page has been measured: a phone's width. */
export const defaultWidth = 358

/** Beside the order's details the chart is taller. */
export const usePlotHeight = (): number => (useMedia(wideMedia) ? 320 : 150)
