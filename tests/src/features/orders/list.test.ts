import { describe, expect, it } from 'vitest'
import { belongs, mergePages, withOrder } from '../../../../src/features/orders/list.ts'
import { reduceOrders } from '../../../../src/features/orders/useOrders.ts'
import type { OrdersState } from '../../../../src/features/orders/useOrders.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const ids = (orders: readonly { id: string }[]) => orders.map(({ id }) => id)

describe('belongs', () => {
  const open = sampleOrder({ status: 'open' })
  const won = sampleOrder({ status: 'won' })
  it.each([
    [open, 'records', true],
    [open, 'positions', true],
    [open, 'closed', false],
    [won, 'records', true],
    [won, 'positions', false],
    [won, 'closed', true],
  ] as const)('%#', (order, tab, expected) => expect(belongs(order, tab, {})).toBe(expected))

  it.each([
    [{ productId: 'A' }, true],
    [{ productId: 'B' }, false],
    [{ direction: 'down' }, false],
    [{ result: 'won' }, true],
    [{ result: 'lost' }, false],
    [{ from: 1_000_000, to: 1_000_000 }, true],
    [{ from: 1_000_001 }, false],
    [{ to: 999_999 }, false],
  ] as const)('under %o', (filters, expected) => expect(belongs(won, 'records', filters)).toBe(expected))
})

describe('the list of orders', () => {
  const first = sampleOrder({ id: 'a', acceptedAt: 1, status: 'open', version: 2 })
  const second = sampleOrder({ id: 'b', acceptedAt: 2, status: 'open' })
  const list = [second, first]

  it('inserts a new order by its time, newest first', () => {
    const third = sampleOrder({ id: 'c', acceptedAt: 3 })
    expect(ids(withOrder(list, third, 'records', {}))).toEqual(['c', 'b', 'a'])
  })
  it('sorts and filters closed orders by the time they closed', () => {
    const long = sampleOrder({ id: 'long', acceptedAt: 1, status: 'won', settledAt: 100 })
    const short = sampleOrder({ id: 'short', acceptedAt: 2, status: 'won', settledAt: 50 })
    expect(ids(mergePages([], [short, long], 'closed'))).toEqual(['long', 'short'])
    expect(ids(mergePages([], [long, short], 'records'))).toEqual(['short', 'long'])
    expect(ids(withOrder([short], long, 'closed', {}))).toEqual(['long', 'short'])
    expect(belongs(long, 'closed', { from: 100 })).toBe(true)
    expect(belongs(long, 'closed', { to: 99 })).toBe(false)
    expect(belongs(long, 'records', { to: 99 })).toBe(true)
  })
  it('replaces an older version and ignores an outdated one', () => {
    const later = { ...first, version: 3, status: 'settling' as const }
    expect(withOrder(list, later, 'records', {})[1]).toBe(later)
    expect(withOrder(list, { ...first, version: 2 }, 'records', {})).toBe(list)
  })
  it('removes an order that has closed', () => {
    expect(ids(withOrder(list, { ...first, version: 3, status: 'won' }, 'positions', {}))).toEqual(['b'])
  })
  it('joins pages without duplicating an order from an event', () => {
    const newer = { ...first, version: 9 }
    const page = [first, sampleOrder({ id: 'z', acceptedAt: 0 })]
    const all = mergePages([second, newer], page, 'records')
    expect(ids(all)).toEqual(['b', 'a', 'z'])
    expect(all[1]).toBe(newer)
  })
  it('reduces requests, pages and failures, and retains its orders if a page fails', () => {
    const start: OrdersState = { orders: [], cursor: undefined, loading: true, failure: undefined }
    const page = reduceOrders(start, {
      kind: 'page',
      items: [second],
      cursor: 'next',
      fresh: true,
      tab: 'records',
    })
    expect([ids(page.orders), page.cursor, page.loading]).toEqual([['b'], 'next', false])
    const failed = reduceOrders(reduceOrders(page, { kind: 'requested' }), {
      kind: 'failed',
      failure: { kind: 'offline' },
    })
    expect([ids(failed.orders), failed.cursor, failed.failure]).toEqual([['b'], 'next', { kind: 'offline' }])
    const end = reduceOrders(failed, {
      kind: 'page',
      items: [first],
      cursor: null,
      fresh: false,
      tab: 'records',
    })
    expect([ids(end.orders), end.cursor, end.failure]).toEqual([['b', 'a'], null, undefined])
  })
})
