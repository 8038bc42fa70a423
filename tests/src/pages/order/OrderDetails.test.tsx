// @vitest-environment happy-dom
import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import type { Order } from '../../../../contract/orders.ts'
import en from '../../../../locales/en.json' with { type: 'json' }
import { OrderHeadline } from '../../../../src/pages/order/OrderHeadline.tsx'
import { OrderDetails } from '../../../../src/pages/order/OrderDetails.tsx'
import { OrderRow } from '../../../../src/features/orders/OrderRow.tsx'
import { openPage } from '../../../support/openPage.tsx'
import { sampleOrder } from '../../../support/sampleOrder.ts'
import { streamsSetup } from '../../../support/streamsSetup.ts'

const entry = { seq: 7, at: epochMs(1_000_500), price: '100.00' }
const open = sampleOrder({ status: 'open', entry })
const won = sampleOrder({
  status: 'won',
  entry,
  exit: { seq: 9, at: epochMs(1_029_000), price: '101.00' },
  settledAt: epochMs(1_031_000),
  payout: '18.50',
  pnl: '8.50',
})

const labelsOf = async (order: Order) => {
  const { container } = await openPage(<OrderDetails order={order} />)
  return [...container.querySelectorAll('dt')].map((label) => label.textContent)
}

describe('OrderDetails', () => {
  it('names the zone of its times', async () => {
    const { container } = await openPage(<OrderDetails order={won} />)
    expect(container.textContent).toMatch(/Times in UTC[+-]\d/)
  })

  it.each<[string, Order]>([
    ['settled a moment after its close', won],
    ['refunded before its close', { ...won, status: 'refunded', settledAt: epochMs(1_012_000) }],
  ])('names the same instant as the head of the page: %s', async (_, order) => {
    const { container } = await openPage(
      <>
        <OrderHeadline order={order} />
        <OrderDetails order={order} />
      </>,
    )
    const closed = / · closed (.*\d)/.exec(container.querySelector('a')?.textContent ?? '')?.[1]
    const label = [...container.querySelectorAll('dt')].find((each) => each.textContent === en.order.closes)
    expect(label?.nextElementSibling?.textContent).toBe(closed)
  })

  it('omits the fields that an open order does not have yet', async () => {
    const labels = await labelsOf(open)
    expect(labels.slice(0, 5)).toEqual(['Entry', 'Current price', 'Amount', 'Return', 'Duration'])
    expect(labels).not.toContain('Exit')
    expect(labels).not.toContain('Payout')
  })

  it('shows holding time, exit and payout of a closed order', async () => {
    const labels = await labelsOf(won)
    expect(labels.slice(0, 6)).toEqual(['Entry', 'Exit', 'Amount', 'Payout', 'Duration', 'Return'])
  })
})

describe('OrderDetails of an order with rule R2', () => {
  const averaging = { entryDelayMs: 500, exitWindowMs: 12_500, exitCutBp: 2000, exitMinTicks: 5 }
  const averaged = (order: Order): Order => ({
    ...order,
    terms: { ...order.terms, rule: 'R2', ...averaging },
  })
  it.each([
    ['open', averaged(open), '—', 'average of the last 12.5 s'],
    [
      'closed',
      averaged({ ...won, exit: { value: '101.005', ticks: 125, from: 3, to: 209 } }),
      '101.005',
      'average of the last 12.5 s without the highest and lowest 20%: 125 of 207 ticks',
    ],
    [
      'closed one with too few ticks to leave any out',
      averaged({ ...won, exit: { value: '101.005', ticks: 4, from: 3, to: 6 } }),
      '101.005',
      'average of the last 12.5 s',
    ],
  ])('says what the exit price of an order is: %s', async (_, order, exit, text) => {
    const { container } = await openPage(<OrderDetails order={order} />)
    const values = [...container.querySelectorAll('dd')].map((value) => value.textContent)
    expect(values).toContain(text)
    expect(values).toContain(exit)
  })
})

describe('PriceNow', () => {
  it('shows the price before the entry, and a dash while the price is stale', async () => {
    vi.useFakeTimers()
    const { streams, transport, market, passSecond } = streamsSetup()
    market.now = 1_001_000
    transport.up()
    const { container } = await openPage(
      <OrderDetails order={sampleOrder({ status: 'open', entry: null, productId: 'A' })} />,
      { streams },
    )
    const price = () =>
      [...container.querySelectorAll('dt')].find(({ textContent }) => textContent === 'Current price')
        ?.nextElementSibling?.textContent
    expect(price()).toBe('—')
    await act(passSecond)
    market.tick('A', 10_012)
    await act(passSecond)
    expect(price()).toBe('100.12')
    transport.down()
    await act(passSecond)
    expect(price()).toBe('—')
    vi.useRealTimers()
  })
})

describe('OrderRow', () => {
  const row = async (order: Order, ring: boolean) => {
    vi.useFakeTimers()
    const { streams, transport, market, passSecond } = streamsSetup()
    market.now = 1_010_000
    transport.up()
    const { container } = await openPage(<OrderRow order={order} product="A/B" ring={ring} />, { streams })
    await act(passSecond)
    vi.useRealTimers()
    return container
  }

  it('counts an open order down in a ring, or in digits in a list with closed orders', async () => {
    expect((await row(open, true)).querySelector('[role=timer]')).not.toBeNull()
    const digits = await row(open, false)
    expect(digits.querySelector('[role=timer]')).toBeNull()
    expect(digits.textContent).toMatch(/Time left 0:\d\d$/)
  })

  it('has no countdown for a closed order', async () => {
    const ended = await row(won, true)
    expect(ended.querySelector('[role=timer]')).toBeNull()
    expect(ended.textContent).toMatch(/\+8\.50Won/)
  })
})
