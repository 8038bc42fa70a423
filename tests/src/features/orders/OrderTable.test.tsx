// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest'
import { dayMs } from '../../../../contract/time.ts'
import { epochMs } from '../../../../contract/units.ts'
import { OrderTable } from '../../../../src/features/orders/OrderList.tsx'
import { session } from '../../../../src/state/session.ts'
import { openPage } from '../../../support/openPage.tsx'
import { sampleOrder } from '../../../support/sampleOrder.ts'
import { click } from '../../ui/mount.tsx'

beforeAll(() => {
  session.appInfo = { zone: 'UTC' } as typeof session.appInfo
})

const newest = Date.UTC(2026, 6, 3, 12)
const orders = [
  ['B/USD', '5.00', 30, '-5.00'],
  ['A/USD', '100.00', 60, '85.00'],
  ['C/USD', '20.00', 5, '17.00'],
].map(([productId, amount, seconds, pnl], index) => {
  const closeAt = epochMs(newest - index * dayMs)
  return sampleOrder({
    id: `${index}`,
    productId: `${productId}`,
    amount: `${amount}`,
    seconds: Number(seconds),
    pnl: `${pnl}`,
    closeAt,
    settledAt: closeAt,
    status: pnl === '-5.00' ? 'lost' : 'won',
  })
})

const codeOf = (id: string): string => id
const openTable = (isPartial: boolean) =>
  openPage(<OrderTable orders={orders} codeOf={codeOf} tab="closed" isPartial={isPartial} />, {
    hash: '#/pages/order/order?tab=closed',
  })

const products = (container: Element) =>
  [...container.querySelectorAll('ul a')].map((row) => /[ABC]\/USD/.exec(row.textContent ?? '')?.[0])
const head = (container: Element, label: string) => {
  const found = [...container.querySelectorAll('[role=columnheader]')].find(
    (one) => one.textContent === label,
  )
  if (found === undefined) throw new Error(`no head ${label}`)
  return found
}
const tap = async (container: Element, label: string) => {
  const button = head(container, label).querySelector('button')
  if (button === null) throw new Error(`${label} cannot be sorted`)
  await click(button)
}

it('is newest first by day; a head sorts all days together, the other way round and back', async () => {
  const { container } = await openTable(false)
  expect(products(container)).toEqual(['B/USD', 'A/USD', 'C/USD'])
  expect(container.querySelectorAll('h2')).toHaveLength(3)
  expect(head(container, 'Close time').getAttribute('aria-sort')).toBe('descending')

  await tap(container, 'Amount')
  expect(products(container)).toEqual(['A/USD', 'C/USD', 'B/USD'])
  expect(container.querySelectorAll('h2')).toHaveLength(0)
  expect(container.textContent).toContain('2 Jul 2026')
  expect(head(container, 'Amount').getAttribute('aria-sort')).toBe('descending')
  expect(head(container, 'Close time').getAttribute('aria-sort')).toBe('none')
  expect(location.hash).toContain('sort=amount-descending')

  await tap(container, 'Amount')
  expect(products(container)).toEqual(['B/USD', 'C/USD', 'A/USD'])
  await tap(container, 'Amount')
  expect(products(container)).toEqual(['B/USD', 'A/USD', 'C/USD'])
  expect(location.hash).not.toContain('sort=')
})

it.each([
  ['Product', ['A/USD', 'B/USD', 'C/USD']],
  ['Duration', ['A/USD', 'B/USD', 'C/USD']],
  ['P&L', ['A/USD', 'C/USD', 'B/USD']],
  ['Close time', ['C/USD', 'A/USD', 'B/USD']],
])('sorts by %s', async (label, expected) => {
  const { container } = await openTable(false)
  await tap(container, label)
  expect(products(container)).toEqual(expected)
})

it('says that older orders are not sorted with them, and leads back to newest first', async () => {
  const { container } = await openTable(true)
  const note = 'Only the entries loaded so far are sorted.'
  expect(container.textContent).not.toContain(note)
  await tap(container, 'P&L')
  expect(container.textContent).toContain(note)
  const back = [...container.querySelectorAll('button')].find((one) => one.textContent === 'Newest first')
  if (back === undefined) throw new Error('no way back')
  await click(back)
  expect(products(container)).toEqual(['B/USD', 'A/USD', 'C/USD'])
})
