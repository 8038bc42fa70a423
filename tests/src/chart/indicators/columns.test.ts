import { expect, it, vi } from 'vitest'
import type { Candle } from '../../../../contract/candles.ts'
import { createBars } from '../../../../src/chart/bars.ts'
import { createIndicatorColumns } from '../../../../src/chart/indicators/columns.ts'
import { indicatorKinds, indicatorRules } from '../../../../src/chart/indicators/kinds.ts'
import { createSeriesData } from '../../../../src/chart/seriesData.ts'
import { fc } from '../../../support/fastCheck.ts'

const bar = (i: number, close: number): Candle => ({
  openAt: i * 1000,
  open: close,
  high: close + 1,
  low: close - 1,
  close,
  volume: close,
  lastSeq: i,
})
const bars = Array.from({ length: 1200 }, (_, i) => bar(i, 100 + Math.sin(i / 9) * 20))

/** Indicators that follow the bars of a chart, of which only the canvas is missing. */
function chartWithIndicators() {
  const chartBars = createBars()
  const columns = indicatorKinds.map((kind) => {
    const { params } = indicatorRules[kind]
    return createIndicatorColumns({ kind, params })
  })
  const series = { setData: () => undefined, update: () => undefined }
  const data = createSeriesData(
    { bars: chartBars, history: series, tail: series } as never,
    (candle) => candle as never,
    ((paint: () => void) => paint) as never,
    {
      onReset: () => {
        for (const each of columns) each.reset(chartBars.all())
      },
      onApply: (candle, applied) => {
        for (const each of columns) each.apply(candle, applied !== 'changed')
      },
    },
  )
  return { data, columns, all: () => chartBars.all() }
}

const anyEvent = fc.oneof(
  fc.record({ kind: fc.constant('snapshot' as const), count: fc.nat(400) }),
  fc.record({ kind: fc.constant('older' as const), count: fc.integer({ min: 1, max: 90 }) }),
  fc.record({
    kind: fc.constant('live' as const),
    count: fc.integer({ min: 1, max: 200 }),
    changes: fc.nat(3),
  }),
)

it('has the same values however the bars arrived: as a snapshot, older ones later, live ones with changes between', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 6 }), (events) => {
      const { data, columns, all } = chartWithIndicators()
      let [from, to] = [600, 600]
      for (const event of events) {
        if (event.kind === 'snapshot') {
          ;[from, to] = [600, 600 + event.count]
          data.setSnapshot(bars.slice(from, to))
        } else if (event.kind === 'older') {
          const older = Math.max(0, from - event.count)
          data.prependOlder(bars.slice(older, from))
          // A chart without bars takes older ones too.
          if (from === to) to = from
          from = older
        } else {
          for (const each of bars.slice(to, to + event.count)) {
            for (let n = 0; n < event.changes; n++) data.update({ ...each, close: n * 500, volume: n })
            data.update(each)
          }
          to = Math.min(bars.length, to + event.count)
        }
      }
      for (const live of columns) {
        const batch = createIndicatorColumns(live.indicator)
        batch.reset(all())
        const lines = indicatorRules[live.indicator.kind].lines(live.indicator.params).keys()
        for (const line of lines)
          for (let i = 0; i < all().length; i++)
            if (!Object.is(live.value(line, i), batch.value(line, i)))
              expect(live.value(line, i)).toBe(batch.value(line, i))
      }
    }),
    { numRuns: 20 },
  )
})

it('takes one step for a tick, however many bars there are', () => {
  const { data, columns } = chartWithIndicators()
  data.setSnapshot(bars)
  const resets = columns.map((each) => vi.spyOn(each, 'reset'))
  const steps = columns.map((each) => vi.spyOn(each, 'apply'))
  data.update(bar(1199, 7))
  data.update(bar(1200, 8))
  expect(resets.every(({ mock }) => mock.calls.length === 0)).toBe(true)
  expect(steps.map(({ mock }) => mock.calls.length)).toEqual(columns.map(() => 2))
})

it('has no value before there are enough bars, before the first bar and after the last one', () => {
  const columns = createIndicatorColumns({ kind: 'MA', params: [2, 3, 4] })
  columns.reset([bar(0, 1), bar(1, 3)])
  expect([-1, 0, 1, 2].map((i) => columns.value(0, i))).toEqual([NaN, NaN, 2, NaN])
  columns.reset([bar(0, 7)])
  expect(columns.value(0, 1)).toBeNaN()
})
