// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import type { ChartMark } from '../../../../src/chart/types.ts'
import { useChartMarks } from '../../../../src/pages/product/useChartMarks.ts'
import type { Order } from '../../../../streams/index.ts'
import { openPage } from '../../../support/openPage.tsx'
import { sampleOrder } from '../../../support/sampleOrder.ts'
import { flushTimers, streamsSetup } from '../../../support/streamsSetup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const entry = { seq: 1, at: epochMs(1_000_500), price: '100.00' }
const averaging = { entryDelayMs: 500, exitWindowMs: 10_000, exitCutBp: 2000, exitMinTicks: 3 }
const { terms } = sampleOrder()
const averaged = sampleOrder({ status: 'open', entry, terms: { ...terms, rule: 'R2', ...averaging } })

it('marks the window of an order by rule R2 from the start, and its mean once the window has ticks', async () => {
  const { streams, transport, market, passSecond } = streamsSetup()
  const orders: readonly Order[] = [averaged, sampleOrder({ id: 'o2', status: 'open', entry })]
  const none: readonly Order[] = []
  const seen: (readonly ChartMark[])[] = []
  const windows = () => seen.at(-1)?.map(({ window }) => window)
  function Marks() {
    seen.push(useChartMarks(orders, none))
    return null
  }
  market.now = 1_000_500
  market.tick('A', 10_000)
  market.now = 1_015_000
  transport.up()
  await flushTimers()
  const { render } = await openPage(<Marks />, { streams })
  const span = { from: 1_020_000, to: 1_030_000 }
  for (const price of [10_000, 10_001, 10_002]) {
    market.tick('A', price)
    await act(passSecond)
  }
  expect(windows()).toEqual([{ ...span, mean: undefined }, undefined])
  market.now = 1_020_500
  for (const price of [10_010, 10_020, 10_030]) {
    market.tick('A', price)
    await act(passSecond)
  }
  expect(windows()).toEqual([{ ...span, mean: 100.2 }, undefined])
  await render(null)
  await act(() => flushTimers(10_000))
  expect(transport.subscribed.has('A')).toBe(false)
})
