import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Order } from '../../../../streams/index.ts'
import en from '../../../../locales/en.json' with { type: 'json' }
import { formatOf } from '../../../../src/format.ts'
import {
  endedOrders$,
  endedOrdersToast,
  isResultVisible,
  batchMs,
} from '../../../../src/features/orders/endedOrders.ts'
import { hrefTo } from '../../../../src/router/hashLocation.ts'
import { paths } from '../../../../src/paths.ts'
import { marblesWith } from '../../../support/marbles.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const ended = (id: string, part: Partial<Order> = {}): Order =>
  sampleOrder({ id, status: 'won', payout: '18.50', pnl: '8.50', version: 3, ...part })

describe('isResultVisible', () => {
  const order = ended('o1', { productId: 'A', direction: 'up' })
  it.each<[string, boolean]>([
    [hrefTo(paths.order, { id: 'o1' }), true],
    [hrefTo(paths.order, { id: 'o2' }), false],
    [hrefTo(paths.orders, { tab: 'closed' }), true],
    [hrefTo(paths.orders), true],
    [hrefTo(paths.orders, { tab: 'positions' }), false],
    [hrefTo(paths.orders, { tab: 'closed', product: 'A', direction: 'up', result: 'won' }), true],
    [hrefTo(paths.orders, { tab: 'closed', product: 'B' }), false],
    [hrefTo(paths.orders, { tab: 'closed', direction: 'down' }), false],
    [hrefTo(paths.orders, { tab: 'closed', result: 'lost' }), false],
    [hrefTo(paths.orders, { tab: 'closed', date: 'today' }), true],
    [hrefTo(paths.orders, { tab: 'closed', date: 'yesterday' }), false],
    [hrefTo(paths.product, { id: 'A' }), true],
    [hrefTo(paths.product, { id: 'B' }), false],
    [hrefTo(paths.home), false],
    [hrefTo(paths.user), false],
  ])('%s: %s', (hash, shown) => expect(isResultVisible(hash, order, false)).toBe(shown))

  it('beside the positions of a wide screen, which has the closed orders below them', () =>
    expect(isResultVisible(hrefTo(paths.orders, { tab: 'positions' }), order, true)).toBe(true))
})

describe('endedOrders$', () => {
  const [a, b, c] = [ended('a'), ended('b'), ended('c')]
  const orders = { a, b, c, o: sampleOrder({ id: 'o' }), h: ended('h', { productId: 'HERE' }) }
  const bursts = { A: [a], X: [a, b], Z: [a, b, c], C: [c] }
  const expectEmits = (
    events: string,
    visible: string,
    expected: string,
    takeHidden: (orders: readonly Order[]) => boolean = () => false,
  ) =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const parts = {
        event$: hot(events, orders),
        hash: () => hrefTo(paths.product, { id: 'HERE' }),
        isWide: () => false,
        visible$: cold(visible, { t: true, f: false }),
        takeHidden,
        scheduler,
      }
      expectObservable(endedOrders$(parts)).toBe(expected, bursts)
    })
  const wait = `${batchMs - 1}ms`

  it('emits one order after the batch time', () => expectEmits('-a', 't', `- ${batchMs}ms A`))
  it('emits the orders of a batch together, each once', () => expectEmits('-ab(ab)', 't', `- ${batchMs}ms X`))
  it('emits a later order separately', () =>
    expectEmits(`a 1500ms c`, 't', `${batchMs}ms A ${batchMs - 1}ms C`))
  it('waits while the page is hidden and then emits at once', () =>
    expectEmits(`a 2000ms b 2000ms c`, 'f 8000ms t', `${4002 + batchMs}ms 8001ms Z`))
  it('leaves out what a notification takes, also of the product that the hidden page shows', () => {
    const taken: string[] = []
    expectEmits('h 2000ms a 2000ms c', 'f 4000ms t', `${4002 + batchMs}ms 4001ms C`, (orders) => {
      taken.push(orders.map(({ id }) => id).join(' '))
      return true
    })
    expect(taken).toEqual(['h', 'a'])
  })
  it('ignores open orders and orders that the page shows', () => expectEmits(`-oh ${wait} -`, 't', ''))
})

describe('endedOrdersToast', () => {
  beforeAll(() =>
    i18next.init({
      lng: 'en',
      interpolation: { escapeValue: false },
      resources: { en: { translation: en } },
    }),
  )
  const toastOf = (...orders: Order[]) =>
    endedOrdersToast(i18next.t, formatOf('en'), orders, (id) => `${id}/USD`)

  it('shows one order with its result and a link to its proof', () => {
    expect(toastOf(ended('o1'))).toEqual({
      text: 'A/USD · Up 10.00 · Won +8.50',
      link: { label: 'Proof', href: '#/pages/order/detail?id=o1' },
    })
    const refunded = ended('o1', { status: 'refunded', reason: 'NO_ENTRY', pnl: '0.00' })
    expect(toastOf(refunded)?.text).toMatch(/^A\/USD · Up 10\.00 · Refunded.* 0\.00$/)
  })

  it('shows several orders with their number, their total and a link to the list', () => {
    expect(toastOf(ended('o1'), ended('o2', { status: 'lost', pnl: '-10.00' }))).toEqual({
      text: '2 orders closed · −1.50',
      link: { label: en.order.toOrders, href: '#/pages/order/order?tab=closed' },
    })
  })

  it('returns undefined for no orders', () => expect(toastOf()).toBeUndefined())
})
