import { secondMs } from '../../contract/time.ts'

/** Measures of the chart, in CSS px. */
export const axisWidth = 64
/** The library's own at 12 px; the legends of the panes are placed by it. */
export const timeAxisHeight = 28
/** Heights of the pane of the bars and of each other pane, as the library's stretch factors. */
export const barsStretch = 3
export const paneStretch = 1
const volumeShare = 0.12
const volumeMax = 56
const volumeGap = 6
/** Padding above and below the bars, as a share of their area. */
const headroom = 0.1
/** Minimum padding: half a label of the highest or lowest price, which would be cut on a short screen. */
const paddingMin = 12
/** The legend over the bars: a line, and what is above the first and below the last one with a label. */
const legendLine = 16
const legendAir = 24
/** Empty space at the right, to show expiries in the future: at least, for an expiry too far to be shown, and at most. */
const futureShare = 0.14
const futureShareFar = 0.4
const futureShareMax = 0.75
/** At 5.5 a body is 3.7 wide, the minimum to distinguish hollow from filled. */
const pitchMin = 5.5
const barsOnPhone = 46
const barsWide = 96
const phoneWidthMax = 560
/** Bars of less than a second are drawn as a line, which needs no body: a minute of them fits on a phone. */
const tickPitch = 2

/** Narrower bodies are always drawn filled. */
export const hollowFrom = 3.5

export const volumeHeight = (plotHeight: number): number => Math.min(volumeMax, plotHeight * volumeShare)
/** Where the bars end and the gap above the volume begins, from the top. */
export const plotBottom = (plotHeight: number): number => plotHeight - volumeHeight(plotHeight) - volumeGap

/** The body of a candle: 68 % of the pitch, 2 to 9. */
export const bodyWidth = (pitch: number): number => Math.min(9, Math.max(2, pitch * 0.68))

/**
 * Margins of the price scale in lightweight-charts' format: shares of the plot's height. The bars begin below the legend
 * of the indicators over them, which never takes more than half of their area.
 */
export function scaleMargins(plotHeight: number, legendLines = 0): { top: number; bottom: number } {
  if (plotHeight <= 0) return { top: headroom, bottom: headroom }
  const floor = Math.max(0, plotBottom(plotHeight))
  const padding = Math.max(floor * headroom, Math.min(paddingMin, floor / 4))
  const legend = legendLines === 0 ? 0 : Math.min(legendAir + legendLines * legendLine, floor / 2)
  return { top: Math.max(padding, legend) / plotHeight, bottom: 1 - (floor - padding) / plotHeight }
}

/**
 * Minimum distance between price levels, in font heights of 12 px as in lightweight-charts. Its steps are 1, 2 and 5, so that
 * the distance is up to 2.5 times this one: there are four to a dozen levels from 350 px on, and fewer below.
 */
export const levelDensity = (plotHeight: number): number => Math.max(2, plotHeight / 13 / 12)

/**
 * The default pitch: 46 bars on a phone, 96 on wide screens, fewer if bodies would be too narrow to draw hollow, and more
 * if the bars are shorter than a second.
 */
export function defaultPitch(plotWidth: number, tfMs: number): number {
  if (tfMs < secondMs) return tickPitch
  const barsWidth = Math.max(1, plotWidth * (1 - futureShare))
  return Math.max(pitchMin, barsWidth / (plotWidth <= phoneWidthMax ? barsOnPhone : barsWide))
}

/**
 * Empty bars at the right: the default share, or what the farthest expiry needs. If that is more than 75 % of the plot,
 * the expiry is not shown, and the history has the space.
 */
export function futureBars(plotWidth: number, pitch: number, expiryBars: number): number {
  const bars = (share: number) => (plotWidth * share) / pitch
  const needed = expiryBars + 10 / pitch
  return needed > bars(futureShareMax) ? bars(futureShareFar) : Math.max(bars(futureShare), needed)
}

/** A span widened around its middle to be visible: on a chart of minutes a few seconds are less than a pixel. */
export function visibleSpan(from: number, to: number, widthMin: number): readonly [from: number, to: number] {
  const missing = Math.max(0, widthMin - (to - from)) / 2
  return [from - missing, to + missing]
}

/** Minimum distance between the centres of two discs, so that both arrows stay visible. */
export const discStep = 13

/**
 * The x positions of the entries' discs, in the same order: each at its own position or, if another disc is there, moved
 * to the right along its own line.
 */
export function discPositions(entries: readonly { x: number; y: number }[]): number[] {
  const positions = entries.map(({ x }) => x)
  const placed: { x: number; y: number }[] = []
  for (const [i, { x, y }] of [...entries.entries()].sort(([, a], [, b]) => a.x - b.x)) {
    let free = x
    // From left to right, so that a disc moved away from one is also compared with the next.
    for (const other of placed.sort((a, b) => a.x - b.x)) {
      if (Math.abs(other.y - y) < discStep && Math.abs(other.x - free) < discStep) free = other.x + discStep
    }
    placed.push({ x: free, y })
    positions[i] = free
  }
  return positions
}
