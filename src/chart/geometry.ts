/** Measures of the chart, in CSS px. */
export const axisWidth = 64
const volumeShare = 0.12
const volumeMax = 56
const volumeGap = 6
/** Air above and below the bars, of the part that they have. */
const headroom = 0.1
/** The least air: half a label of the highest or lowest price, which a short phone would cut. */
const airMin = 12
/** Empty at the right, for expiries to stand in the future they belong to. */
const futureShare = 0.14
const futureShareMax = 0.4
/** At 5.5 a body is 3.7 wide, the least at which hollow and filled can be told apart. */
const pitchMin = 5.5
const barsOnPhone = 46
const barsWide = 96
const phoneWidthMax = 560

/** Below this a body is drawn filled whatever its direction. */
export const hollowFrom = 3.5

export const volumeHeight = (plotHeight: number): number => Math.min(volumeMax, plotHeight * volumeShare)
/** Where the bars end and the air above the volume begins, from the top. */
export const plotBottom = (plotHeight: number): number => plotHeight - volumeHeight(plotHeight) - volumeGap

/** The body of a candle: 68 % of the pitch, 2 to 9. */
export const bodyWidth = (pitch: number): number => Math.min(9, Math.max(2, pitch * 0.68))

/** Air of the price scale as lightweight-charts takes it: shares of the plot's height. */
export function scaleMargins(plotHeight: number): { top: number; bottom: number } {
  if (plotHeight <= 0) return { top: headroom, bottom: headroom }
  const floor = plotBottom(plotHeight)
  const air = Math.max(floor * headroom, Math.min(airMin, floor / 4))
  return { top: air / plotHeight, bottom: 1 - (floor - air) / plotHeight }
}

/** Room between two price levels, in letters' heights as lightweight-charts counts it: some five levels at any height. */
export const levelDensity = (plotHeight: number): number => Math.min(8, Math.max(2.5, plotHeight / 5 / 12))

/** The usual pitch: 46 bars on a phone, 96 where there is room, fewer where a body would lose its hollow. */
export function defaultPitch(plotWidth: number): number {
  const room = Math.max(1, plotWidth * (1 - futureShare))
  return Math.max(pitchMin, room / (plotWidth <= phoneWidthMax ? barsOnPhone : barsWide))
}

/** Empty bars at the right: the usual share, or what the farthest expiry needs, up to 40 % of the plot. */
export function futureBars(plotWidth: number, pitch: number, expiryBars: number): number {
  const least = (plotWidth * futureShare) / pitch
  const most = (plotWidth * futureShareMax) / pitch
  return Math.min(most, Math.max(least, expiryBars + 10 / pitch))
}

/** Between the middles of two discs that would cover each other: each keeps its arrow in sight. */
export const discStep = 13

/**
 * Where the discs of entries stand, in the order given: each at its own place, or, where an earlier one stands there,
 * pushed to the right along its own line.
 */
export function discPositions(entries: readonly { x: number; y: number }[]): number[] {
  const places = entries.map(({ x }) => x)
  const placed: { x: number; y: number }[] = []
  for (const [i, { x, y }] of [...entries.entries()].sort(([, a], [, b]) => a.x - b.x)) {
    let free = x
    // From left to right, so that one that gives way to the first meets the second too.
    for (const other of placed.sort((a, b) => a.x - b.x)) {
      if (Math.abs(other.y - y) < discStep && Math.abs(other.x - free) < discStep) free = other.x + discStep
    }
    placed.push({ x: free, y })
    places[i] = free
  }
  return places
}
