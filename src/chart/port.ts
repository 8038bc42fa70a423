import type { Candle } from '../../contract/candles.ts'
import type { FigureKind, Indicator } from './indicators/kinds.ts'
import type { LayerFactory } from './indicators/layer.ts'

/** How the bars are drawn. */
export type ChartMode = 'candles' | 'area'

/** An open order marked on the chart. Prices are decimal numbers, instants venue milliseconds. */
export type ChartMark = {
  id: string
  direction: 'up' | 'down'
  /** Undefined while the order waits for its entry: then only its expiry is drawn. */
  entry: { at: number; price: number } | undefined
  closeAt: number
  /** The time that the exit is the mean of, with the mean so far; undefined if the exit is a single price. */
  window: { from: number; to: number; mean: number | undefined } | undefined
}

/** A horizontal line that a member has set. `price` is a decimal number. */
export type ChartLine = { price: number; name: string }

/** Indicators and horizontal lines, with the code that draws them, which is loaded only for them. */
export type ChartExtras = {
  createLayer: LayerFactory
  indicators: readonly Indicator[]
  lines: readonly ChartLine[]
}

/** An indicator's values at a bar, in the order of its lines; NaN where there are too few bars. */
export type IndicatorReading = {
  indicator: Indicator
  values: readonly number[]
  /** It is of the volume, and no bar has any. */
  withoutVolume: boolean
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
  accent: string
  /** Lines of an indicator, in their order. */
  series: readonly string[]
  font: string
}

export type AxisTime = 'year' | 'month' | 'day' | 'time' | 'second'

/** How prices and instants are formatted, in the member's language and the venue's zone. */
export type ChartFormat = {
  price(value: number): string
  /** An indicator's value. */
  figure(value: number, kind: FigureKind): string
  /** A label on the time axis. */
  axisTime(at: number, kind: AxisTime): string
  /** The crosshair's label on the time axis. */
  fullTime(at: number): string
}

export type ChartSetup = {
  /** Length of a bar, ms. */
  tfMs: number
  priceDecimals: number
  /** A price of the product, as a decimal number, by which the axis has its width before there are bars; NaN if there is none. */
  price: number
  /** Offset of the venue's zone from UTC, ms: days on the axis begin at its midnight. */
  zoneOffsetMs: number
  mode: ChartMode
  theme: ChartTheme
  format: ChartFormat
}

/**
 * The chart as pages see it. Bars ascend strictly in `openAt`; prices are decimal numbers. Changes are painted at most
 * once per animation frame.
 */
export type ChartPort = {
  /** Replaces all bars and shows the newest. */
  setSnapshot(candles: readonly Candle[]): void
  /** Adds bars before the oldest one; the visible range stays. */
  prependOlder(candles: readonly Candle[]): void
  /** Updates the newest bar or adds the next. An older one is ignored. */
  update(candle: Candle): void
  /** Removes all bars: the next are of another length, ms. */
  setFrame(tfMs: number): void
  setMode(mode: ChartMode): void
  setMarks(marks: readonly ChartMark[]): void
  /** Indicators and horizontal lines; undefined removes all of them. */
  setExtras(extras: ChartExtras | undefined): void
  /** Greys the bars and the price: the market is closed, or the price is too old to trade on. */
  setStale(stale: boolean): void
  setTheme(theme: ChartTheme): void
  setFormat(format: ChartFormat): void
  /** The bar under the crosshair; undefined once it left. */
  onCrosshair(handler: (candle: Candle | undefined) => void): () => void
  /** The values of the indicators at the bar under the crosshair, else at the newest, of which not every change is published. */
  onReadings(handler: (readings: readonly IndicatorReading[]) => void): () => void
  /** The price at a height in the window, px; undefined outside the pane of the bars. */
  priceAt(clientY: number): number | undefined
  /** The member scrolls towards the oldest bar. May be called repeatedly until older bars arrive. */
  onNeedOlder(handler: () => void): () => void
  /** Scrolls to the newest bar at the default pitch. */
  fitRight(): void
  /** Moves the crosshair by bars, from the newest if it is not shown; for the keyboard. */
  step(bars: number): void
  destroy(): void
}

export type ChartFactory = (container: HTMLElement, setup: ChartSetup) => ChartPort
