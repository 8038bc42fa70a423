import type {
  CustomSeriesOptions,
  IChartApi,
  ISeriesApi,
  Logical,
  Time,
  UTCTimestamp,
  WhitespaceData,
} from 'lightweight-charts'
import type { Candle } from '../../contract/candles.ts'
import type { Bars } from './bars.ts'
import { BarSeriesView, type BarItem } from './barSeries.ts'
import type { RenderState } from './renderState.ts'
import type { ChartSetup } from './types.ts'
import { extremesPrimitive } from './primitives/extremes.ts'
import { orderMarksPrimitive } from './primitives/orderMarks.ts'
import type { Scales } from './primitives/painter.ts'
import { priceLinePrimitive } from './primitives/priceLine.ts'
import { volumePrimitive } from './primitives/volume.ts'

export type Series = ISeriesApi<'Custom', Time, BarItem | WhitespaceData<Time>, CustomSeriesOptions>
export type ChartSeries = {
  chart: IChartApi
  history: Series
  tail: Series
  bars: Bars
  state: RenderState
  /** Positions in the pane of the bars. */
  scales: Scales
}

/** The two series, and the painters attached to the live one, which read the bars of both. */
export function buildChartSeries(
  chart: IChartApi,
  bars: Bars,
  state: RenderState,
  setup: ChartSetup,
): ChartSeries {
  const options = {
    priceLineVisible: false,
    lastValueVisible: false,
    priceFormat: {
      type: 'custom',
      minMove: 10 ** -setup.priceDecimals,
      formatter: (price: number) => state.format.price(price),
      // We draw the axis labels, right-aligned and clear of the price tag; the library only provides the levels.
      tickmarksFormatter: (prices: readonly number[]) => {
        state.levels = prices
        return prices.map(() => '')
      },
    },
  } as const
  const history = chart.addCustomSeries<BarItem, CustomSeriesOptions>(new BarSeriesView(state), options)
  const tail = chart.addCustomSeries<BarItem, CustomSeriesOptions>(new BarSeriesView(state), options)
  const scales = scalesOf(chart, tail, bars)
  for (const make of [volumePrimitive, orderMarksPrimitive, priceLinePrimitive, extremesPrimitive]) {
    tail.attachPrimitive(make(state, scales))
  }
  return { chart, history, tail, bars, state, scales }
}

/** Converts a bar to the library's format: seconds on an axis whose days begin at the venue's midnight. */
export const barItem =
  (zoneOffsetMs: number) =>
  ({ openAt, open, high, low, close }: Candle): BarItem => ({
    time: ((openAt + zoneOffsetMs) / 1000) as UTCTimestamp,
    open,
    high,
    low,
    close,
  })

/** Positions in the pane of a series. */
export function scalesOf(chart: IChartApi, series: Pick<Series, 'priceToCoordinate'>, bars: Bars): Scales {
  const scale = chart.timeScale()
  return {
    xOf: (logical) => {
      // The library rounds a logical position to whole bars, so the fraction is added here.
      const whole = Math.floor(logical)
      const x = scale.logicalToCoordinate(whole as Logical)
      return x === null ? undefined : x + (logical - whole) * scale.options().barSpacing
    },
    yOf: (price) => series.priceToCoordinate(price) ?? undefined,
    visible: () => {
      const range = scale.getVisibleLogicalRange()
      const count = bars.all().length
      if (range === null || count === 0) return undefined
      // A bar counts as visible if half of it is.
      const from = Math.max(0, Math.round(range.from))
      const to = Math.min(count - 1, Math.round(range.to))
      return from > to ? undefined : { from, to }
    },
    pitch: () => scale.options().barSpacing,
  }
}

/** The price at a height below the chart's top, px; undefined outside the pane of the bars. */
export const priceAt = ({ chart, tail }: ChartSeries, y: number): number | undefined =>
  y < 0 || y > chart.paneSize().height ? undefined : (tail.coordinateToPrice(y) ?? undefined)
