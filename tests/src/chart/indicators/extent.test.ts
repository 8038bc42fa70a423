import { expect, it } from 'vitest'
import type { Candle } from '../../../../contract/candles.ts'
import { createIndicatorColumns, type IndicatorColumns } from '../../../../src/chart/indicators/columns.ts'
import { extentOfColumns } from '../../../../src/chart/indicators/extent.ts'
import { seededRandom } from '../../../support/random.ts'

const { next: random } = seededRandom(5)
const bar = (): Candle => ({
  openAt: 0,
  open: 1,
  high: 3,
  low: 0,
  close: 1 + random(),
  volume: Math.floor(random() * 9),
  lastSeq: 1,
})

/** Value by value, without anything from an earlier question. */
function computed({ value }: IndicatorColumns, from: number, to: number) {
  const bars = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  const values = [0, 1, 2]
    .flatMap((line) => bars.map((each) => value(line, each)))
    .filter((each) => !Number.isNaN(each))
  return { minValue: Math.min(...values), maxValue: Math.max(...values) }
}

it('is that of the values in view, whatever changed since the last question', () => {
  const columns = createIndicatorColumns({ kind: 'MA', params: [2, 3, 5] })
  columns.reset(Array.from({ length: 30 }, bar))
  let count = 30
  for (let i = 0; i < 500; i++) {
    const step = random()
    if (step < 0.5) columns.apply(bar(), false)
    else if (step < 0.7) {
      columns.apply(bar(), true)
      count += 1
    } else if (step < 0.75) {
      count = 30
      columns.reset(Array.from({ length: count }, bar))
    }
    const to = random() < 0.7 ? count - 1 : 10 + Math.floor(random() * (count - 10))
    const from = Math.max(0, to - Math.floor(random() * 12))
    if (to < 5) continue
    for (let again = 0; again < 2; again++)
      expect(extentOfColumns([columns], { from, to })).toEqual(computed(columns, from, to))
  }
})
