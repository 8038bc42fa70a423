import { LineSeries, type ISeriesApi, type Time } from 'lightweight-charts'
import type { Candle } from '../../../contract/candles.ts'
import { scalesOf, type ChartSeries } from '../chartSeries.ts'
import type { IndicatorColumns } from './columns.ts'
import { extentOfColumns } from './extent.ts'
import { indicatorRules } from './kinds.ts'
import { panePrimitive } from './painters.ts'

/** Room for the legend at the top of the pane, and at the bottom for half a line. */
const margins = { top: 0.34, bottom: 0.06 }

/**
 * The pane of an indicator. The library gives a pane a price scale only for a series with a point in view, so it has one,
 * invisible, at the newest bar; what is drawn are the columns, of which only the visible part costs anything.
 */
export function openPane(
  columns: IndicatorColumns,
  { chart, bars, state, scales }: ChartSeries,
  timeOf: (candle: Candle) => Time,
  index: number,
) {
  const { figures } = indicatorRules[columns.indicator.kind]
  let levels: readonly number[] = []
  const series: ISeriesApi<'Line'> = chart.addSeries(
    LineSeries,
    {
      lineVisible: false,
      crosshairMarkerVisible: false,
      priceLineVisible: false,
      lastValueVisible: false,
      priceFormat: {
        type: 'custom',
        minMove: 1e-8,
        formatter: (value: number) => state.format.figure(value, figures),
        tickmarksFormatter: (values: readonly number[]) => {
          levels = values
          return values.map(() => '')
        },
      },
      autoscaleInfoProvider: () => {
        const range = scales.visible()
        const extent = range && extentOfColumns([columns], range)
        return extent === undefined ? null : { priceRange: extent }
      },
    },
    index,
  )
  series.attachPrimitive(panePrimitive(columns, state, scalesOf(chart, series, bars), () => levels))
  series.priceScale().applyOptions({ scaleMargins: margins, tickMarkDensity: 2.5 })
  const pointOf = (candle: Candle) => ({ time: timeOf(candle), value: 0 })
  return {
    /** After all bars were replaced. */
    reset: (newest: Candle | undefined) => series.setData(newest === undefined ? [] : [pointOf(newest)]),
    /** A bar was added. */
    add: (candle: Candle) => series.update(pointOf(candle)),
    close: () => chart.removeSeries(series),
  }
}
