import type { IChartApi } from 'lightweight-charts'
import { describe, expect, it } from 'vitest'
import type { Candle } from '../../../contract/candles.ts'
import { createBars } from '../../../src/chart/bars.ts'
import type { ChartSeries } from '../../../src/chart/chartSeries.ts'
import { isFollowing, watchAway } from '../../../src/chart/watch.ts'

const bars = (count: number): Candle[] =>
  Array.from({ length: count }, (_, openAt) => ({
    openAt,
    open: 1,
    high: 1,
    low: 1,
    close: 1,
    volume: 1,
    lastSeq: openAt,
  }))

/** A chart that shows bars up to `to`, and whose newest bar is `position` bars left of its right edge. */
function openChart() {
  const handlers = new Set<() => void>()
  const shown = { to: 0, position: 0, rightOffset: 8 }
  const scale = {
    getVisibleLogicalRange: () => ({ from: 0, to: shown.to }),
    scrollPosition: () => shown.position,
    options: () => ({ rightOffset: shown.rightOffset }),
    subscribeVisibleLogicalRangeChange: (handler: () => void) => void handlers.add(handler),
    unsubscribeVisibleLogicalRangeChange: (handler: () => void) => void handlers.delete(handler),
  }
  const chart = { timeScale: () => scale } as unknown as IChartApi
  const all = createBars()
  const scrollTo = (to: number) => {
    shown.to = to
    for (const handler of handlers) handler()
  }
  return { series: { chart, bars: all } as unknown as ChartSeries, chart, all, shown, scrollTo }
}

describe('a chart', () => {
  it('tells once that its newest bar left the view, and once that it is back', () => {
    const { series, all, scrollTo } = openChart()
    const told: boolean[] = []
    const stop = watchAway(series, (isAway) => told.push(isAway))
    scrollTo(5)
    all.reset(bars(100))
    // Half of the newest bar is enough.
    for (const to of [107, 98.6, 98.4, 40, 99, 108]) scrollTo(to)
    expect(told).toEqual([true, false])
    stop()
    scrollTo(40)
    expect(told).toEqual([true, false])
  })

  it('follows the newest bar until the member scrolls by a bar', () => {
    const { chart, shown } = openChart()
    const follows = [8, 7.5, 9.2, 6, -30].map((position) => {
      shown.position = position
      return isFollowing(chart)
    })
    expect(follows).toEqual([true, true, false, false, false])
  })
})
