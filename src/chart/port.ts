import type { Candle } from '../../contract/candles.ts'
import type { Indicator } from './indicators/kinds.ts'
import type { LayerFactory } from './indicators/layer.ts'
import type {
  ChartFormat,
  ChartLine,
  ChartMark,
  ChartMode,
  ChartSetup,
  ChartTheme,
  IndicatorReading,
} from './types.ts'

/** Indicators and horizontal lines, with the code that draws them, which is loaded only for them. */
export type ChartExtras = {
  createLayer: LayerFactory
  indicators: readonly Indicator[]
  lines: readonly ChartLine[]
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
  /** The newest bar leaves the view, or is in it again. */
  onAway(handler: (isAway: boolean) => void): () => void
  /** Scrolls to the newest bar at the default pitch, and fits the prices again. */
  fitRight(): void
  /** Moves the crosshair by bars, from the newest if it is not shown; for the keyboard. */
  step(bars: number): void
  destroy(): void
}

export type ChartFactory = (container: HTMLElement, setup: ChartSetup) => ChartPort
