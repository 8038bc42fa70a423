import { expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import { chartMarksOf } from '../../../../src/pages/product/chartMarks.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const entry = { seq: 1, at: epochMs(1_000_500), price: '100.00' }
const { terms } = sampleOrder()
const averaging = { entryDelayMs: 500, exitWindowMs: 10_000, exitCutBp: 2000, exitMinTicks: 3 }

it('marks an open order without an exit, and a settled one at the tick that decided it', () => {
  const exit = { seq: 7, at: epochMs(1_029_900), price: '101.25' }
  const marks = chartMarksOf([sampleOrder({ entry }), sampleOrder({ entry, exit })], new Map())
  expect(marks).toMatchObject([
    { entry: { at: 1_000_500, price: 100 }, exit: undefined },
    { entry: { at: 1_000_500, price: 100 }, exit: { at: 1_029_900, price: 101.25 } },
  ])
})

it('marks an averaged exit at its mean, where its window ends', () => {
  const order = sampleOrder({
    entry,
    terms: { ...terms, rule: 'R2', ...averaging },
    exit: { value: '101.255', ticks: 8, from: 7, to: 20 },
  })
  expect(chartMarksOf([order], new Map([['o1', '99.000']]))).toMatchObject([
    {
      exit: { at: 1_030_000, price: 101.255 },
      window: { from: 1_020_000, to: 1_030_000, mean: 101.255 },
    },
  ])
})
