import type { Candle } from '../../contract/candles.ts'

/** How the bars are drawn. */
export type ChartMode = 'candles' | 'area'

/** An open order as the chart marks it. Prices are decimal numbers, instants venue milliseconds. */
export type ChartMark = {
  id: string
  direction: 'up' | 'down'
  /** Undefined while the order waits for its first price: only its expiry is drawn then. */
  entry: { at: number; price: number } | undefined
  closeAt: number
}

/** Colours of the page's theme, as CSS colour strings. */
export type ChartTheme = {
  ground: string
  text: string
  text2: string
  text3: string
  line: string
  hair: string
  faint: string
  fill: string
  up: string
  down: string
  font: string
}

export type AxisTime = 'year' | 'month' | 'day' | 'time'

/** How figures and instants are written, in the member's language and the venue's zone. */
export type ChartFormat = {
  price(value: number): string
  /** A mark on the time axis. */
  axisTime(at: number, kind: AxisTime): string
  /** The crosshair's label on the time axis. */
  fullTime(at: number): string
}

export type ChartSetup = {
  /** Length of a bar, ms. */
  tfMs: number
  priceDecimals: number
  /** Offset of the venue's zone from UTC, ms: days begin on the axis where they begin there. */
  zoneOffsetMs: number
  mode: ChartMode
  theme: ChartTheme
  format: ChartFormat
}

/**
 * What the pages know of a chart. Bars ascend strictly in `openAt`; prices are decimal numbers. Whatever is set
 * is painted at most once a frame.
 */
export type ChartPort = {
  /** Replaces all bars and shows the newest. */
  setSnapshot(candles: readonly Candle[]): void
  /** Bars before the oldest one; what is on screen stays where it is. */
  prependOlder(candles: readonly Candle[]): void
  /** The newest bar again, or one after it. An older one is ignored. */
  update(candle: Candle): void
  setMode(mode: ChartMode): void
  setMarks(marks: readonly ChartMark[]): void
  /** Greys the bars and the price: closed, or too old to trade on. */
  setStale(stale: boolean): void
  setTheme(theme: ChartTheme): void
  setFormat(format: ChartFormat): void
  /** The bar under the crosshair; undefined once it left. */
  onCrosshair(handler: (candle: Candle | undefined) => void): () => void
  /** The member scrolls toward the oldest bar. May be called again until older bars come. */
  onNeedOlder(handler: () => void): () => void
  /** Back to the newest bar at the usual width. */
  fitRight(): void
  /** Moves the crosshair by bars, from the newest where it is not shown: the keyboard's way to read the chart. */
  step(bars: number): void
  destroy(): void
}

export type ChartFactory = (container: HTMLElement, setup: ChartSetup) => ChartPort
