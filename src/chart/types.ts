import type { FigureKind, Indicator } from './indicators/kinds.ts'

/** How the bars are drawn. */
export type ChartMode = 'candles' | 'area'

/** An order marked on the chart while it is open, and for a moment after it has settled. Prices are decimal numbers, instants venue milliseconds. */
export type ChartMark = {
  id: string
  direction: 'up' | 'down'
  /** Undefined while the order waits for its entry: then only its expiry is drawn. */
  entry: { at: number; price: number } | undefined
  closeAt: number
  /** Undefined until the order has settled. */
  exit: { at: number; price: number } | undefined
  /** The time that the exit is the mean of, with the mean so far; undefined if the exit is a single price. */
  window: { from: number; to: number; mean: number | undefined } | undefined
}

/** A horizontal line: one that the member has set, or the price of an alert. `price` is a decimal number. */
export type ChartLine = { kind: 'line' | 'alert'; price: number; name: string }

/** A price with a label on the axis: a line's, or the entry of an open order, which has no name. */
export type LabelledPrice = { kind: ChartLine['kind'] | ChartMark['direction']; price: number; name: string }

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

export type Point = { x: number; y: number }

/** What a member asks the menu of the chart for. */
export type MenuRequest = {
  /** As a decimal number: at the pointer or, from the keyboard, of the bar that is read. Undefined outside the pane of the bars. */
  price: number | undefined
  /** Where it opens, px in the window. */
  at: Point
  /** Returns to the newest bars at the default pitch. */
  reset: () => void
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
