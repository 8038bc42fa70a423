import { expect, it } from 'vitest'
import type { Candle } from '../../../../contract/candles.ts'
import { createStudyColumns } from '../../../../src/chart/studies/columns.ts'

const bar = (i: number, close: number): Candle => ({
  openAt: i * 1000,
  open: close,
  high: close + 1,
  low: close - 1,
  close,
  volume: 1,
  lastSeq: i,
})
const bars = Array.from({ length: 2000 }, (_, i) => bar(i, 100 + Math.sin(i / 9) * 20))

it('has the same values whether bars arrive one by one, change meanwhile, or come as a snapshot', () => {
  for (const kind of ['MA', 'MACD', 'KDJ'] as const) {
    const study = { kind, params: kind === 'KDJ' ? [9, 3, 3] : [5, 12, 9] }
    const snapshot = createStudyColumns(study)
    snapshot.reset(bars)
    const live = createStudyColumns(study)
    live.reset(bars.slice(0, 700))
    for (const each of bars.slice(700)) {
      live.apply(bar(0, 5), true)
      live.apply(bar(0, 500), false)
      live.apply(each, false)
    }
    for (let i = 0; i < bars.length; i++)
      for (let line = 0; line < 3; line++) expect(live.value(line, i)).toEqual(snapshot.value(line, i))
  }
})

it('has no value before there are enough bars, before the first bar and after the last one', () => {
  const columns = createStudyColumns({ kind: 'MA', params: [2, 3, 4] })
  columns.reset([bar(0, 1), bar(1, 3)])
  expect([-1, 0, 1, 2].map((i) => columns.value(0, i))).toEqual([NaN, NaN, 2, NaN])
  columns.reset([bar(0, 7)])
  expect(columns.value(0, 1)).toBeNaN()
})
