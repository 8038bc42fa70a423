import { expect, it } from 'vitest'
import type { Candle } from '../../../contract/candles.ts'
import { createBars } from '../../../src/chart/bars.ts'
import type { BarItem } from '../../../src/chart/barSeries.ts'
import type { ChartSeries } from '../../../src/chart/chartSeries.ts'
import { createSeriesData } from '../../../src/chart/seriesData.ts'

const bars = (count: number, from = 0): Candle[] =>
  Array.from({ length: count }, (_, i) => ({
    openAt: from + i,
    open: 1,
    high: 1,
    low: 1,
    close: 1,
    volume: 1,
    lastSeq: i,
  }))

/** Two series that hold only how many bars they have, and what the tail had whenever the history was set. */
function openSeries() {
  const counts = { history: 0, tail: 0 }
  const tailWhenHistorySet: number[] = []
  const added: number[] = []
  const series = {
    history: {
      setData: ({ length }: readonly BarItem[]) => {
        counts.history = length
        tailWhenHistorySet.push(counts.tail)
      },
    },
    tail: {
      setData: ({ length }: readonly BarItem[]) => {
        counts.tail = length
      },
      update: () => {
        counts.tail++
      },
    },
    bars: createBars(),
  } as unknown as ChartSeries
  const data = createSeriesData(
    series,
    ({ openAt, open, high, low, close }) => ({ time: openAt, open, high, low, close }) as unknown as BarItem,
    Object.assign((paint: () => void) => paint, { cancel: () => undefined }),
    { onReset: () => undefined, onApply: () => undefined },
    () => added.push(counts.tail),
  )
  return { data, counts, tailWhenHistorySet, added }
}

it('sets the history while the tail is empty: with the crosshair shown, the library throws at bars at old places', () => {
  const { data, counts, tailWhenHistorySet } = openSeries()
  data.setSnapshot(bars(300, 1000))
  data.prependOlder(bars(600, 400))
  const [newest] = bars(1, 1300)
  if (newest !== undefined) data.update(newest)
  expect(tailWhenHistorySet).toEqual([0, 0, 0])
  // The bar at the seam is in both.
  expect(counts.history + counts.tail).toBe(902)
})

it('tells of added bars once the series have them, and not of a change', () => {
  const { data, added } = openSeries()
  data.setSnapshot(bars(10))
  for (const bar of [...bars(10).slice(-1), ...bars(2, 10)]) data.update(bar)
  // The tail counts every update.
  expect(added).toEqual([12, 13])
})
