import type { IChartApi } from 'lightweight-charts'
import type { Candle } from '../../contract/candles.ts'
import type { BarItem } from './barSeries.ts'
import type { ChartSeries } from './chartSeries.ts'

/** Within this many bars of the oldest one, older bars are requested. */
const olderFromBars = 40

/** Reports the bar under the crosshair. */
export function watchCrosshair(
  { chart, bars }: ChartSeries,
  handler: (candle: Candle | undefined) => void,
): () => void {
  const onMove: Parameters<IChartApi['subscribeCrosshairMove']>[0] = ({ logical }) =>
    handler(logical === undefined ? undefined : bars.all()[Math.round(logical)])
  chart.subscribeCrosshairMove(onMove)
  return () => chart.unsubscribeCrosshairMove(onMove)
}

/** Reports that the member is near the oldest bar. */
export function watchOldest({ chart, bars }: ChartSeries, handler: () => void): () => void {
  const onRangeChange = (range: { from: number } | null) => {
    if (range !== null && bars.all().length > 0 && range.from < olderFromBars) handler()
  }
  chart.timeScale().subscribeVisibleLogicalRangeChange(onRangeChange)
  return () => chart.timeScale().unsubscribeVisibleLogicalRangeChange(onRangeChange)
}

/** Whether the member has scrolled the newest bar out of view. */
export function isAway({ chart, bars }: Pick<ChartSeries, 'chart' | 'bars'>): boolean {
  const range = chart.timeScale().getVisibleLogicalRange()
  // A bar counts as visible if half of it is.
  return range !== null && Math.round(range.to) < bars.all().length - 1
}

/** Whether the newest bar is where the chart puts it: the member has not scrolled. */
export function isFollowing(chart: IChartApi): boolean {
  const scale = chart.timeScale()
  return Math.abs(scale.scrollPosition() - scale.options().rightOffset) < 1
}

/** Reports that the newest bar left the view, or is in it again. */
export function watchAway(series: ChartSeries, handler: (isAway: boolean) => void): () => void {
  const scale = series.chart.timeScale()
  let before = false
  const onRangeChange = () => {
    const now = isAway(series)
    if (now !== before) handler((before = now))
  }
  scale.subscribeVisibleLogicalRangeChange(onRangeChange)
  return () => scale.unsubscribeVisibleLogicalRangeChange(onRangeChange)
}

/** Moves the crosshair bar by bar, scrolling if it leaves the view. */
export function createStepper({ chart, tail, bars }: ChartSeries, itemOf: (candle: Candle) => BarItem) {
  let at: number | undefined
  return (by: number) => {
    const all = bars.all()
    const known = all.findIndex((bar) => bar.openAt === at)
    const from = known < 0 ? all.length - 1 - by : known
    const index = Math.min(all.length - 1, Math.max(0, from + by))
    const bar = all[index]
    if (bar === undefined) return
    at = bar.openAt
    const scale = chart.timeScale()
    const range = scale.getVisibleLogicalRange()
    if (range !== null && (index < range.from || index > range.to))
      scale.scrollToPosition(index - all.length, false)
    chart.setCrosshairPosition(bar.close, itemOf(bar).time, tail)
  }
}
