import { useMedia, wideMedia } from '../../../hooks/useMedia.ts'

/** Room over the plot for the names of its lines, and under it for their times. */
export const headHeight = 22
export const footHeight = 18
/** Before the page has been measured: a phone's. */
export const defaultWidth = 358

/** Beside a column of facts the chart has room to grow. */
export const usePlotHeight = (): number => (useMedia(wideMedia) ? 320 : 150)
