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
} from '../../../../src/pages/order/endedOrders.ts'
import { hrefTo } from '../../../../src/router/hashLocation.ts'
import { paths } from '../../../../src/paths.ts'
import { marblesWith } from '../../../support/marbles.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const ended = (id: string, part: Partial<Order> = {}): Order =>
  sampleOrder({ id, status: 'won', payout: '18.50', pnl: '8.50', version: 3, ...part })

describe('pages that show how an order ends', () => {
  const order = ended('o1', { productId: 'A' })
  it.each<[string, boolean]>([
    [hrefTo(paths.order, { id: 'o1' }), true],
    [hrefTo(paths.order, { id: 'o2' }), false],
    [hrefTo(paths.orders, { tab: 'closed' }), true],
    [hrefTo(paths.product, { id: 'A' }), true],
    [hrefTo(paths.product, { id: 'B' }), false],
    [hrefTo(paths.home), false],
    [hrefTo(paths.user), false],
  ])('%s: %s', (hash, shown) => expect(isResultVisible(hash, order)).toBe(shown))
})

describe('orders that end elsewhere', () => {
  const [a, b, c] = [ended('a'), ended('b'), ended('c')]
  const orders = { a, b, c, o: sampleOrder({ id: 'o' }), h: ended('h', { productId: 'HERE' }) }
  const bursts = { A: [a], X: [a, b], Z: [a, b, c], C: [c] }
  const told = (events: string, visible: string, expected: string) =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const parts = {
        event$: hot(events, orders),
        hash: () => hrefTo(paths.product, { id: 'HERE' }),
        visible$: cold(visible, { t: true, f: false }),
        scheduler,
      }
      expectObservable(endedOrders$(parts)).toBe(expected, bursts)
    })
  const wait = `${batchMs - 1}ms`

  it('one is told after a moment', () => told('-a', 't', `- ${batchMs}ms A`))
  it('those of one moment are told together, each once', () => told('-ab(ab)', 't', `- ${batchMs}ms X`))
  it('one that ends later is told by itself', () =>
    told(`a 1500ms c`, 't', `${batchMs}ms A ${batchMs - 1}ms C`))
  it('while nobody looks they wait, and then they are told at once', () =>
    told(`a 2000ms b 2000ms c`, 'f 8000ms t', `${4002 + batchMs}ms 8001ms Z`))
  it('those that still run, and those that the page shows, are not told', () =>
    told(`-oh ${wait} -`, 't', ''))
})

describe('the words', () => {
  beforeAll(() =>
    i18next.init({
      lng: 'en',
      interpolation: { escapeValue: false },
      resources: { en: { translation: en } },
    }),
  )
  const say = (...orders: Order[]) => endedOrdersToast(i18next.t, formatOf('en'), orders, (id) => `${id}/USD`)

  it('of one: what it was, how it ended, and the way to its proof', () => {
    expect(say(ended('o1'))).toEqual({
      text: 'A/USD · Up 10.00 · Won +8.50',
      link: { label: 'Proof', href: '#/pages/order/detail?id=o1' },
    })
    const refunded = ended('o1', { status: 'refunded', reason: 'NO_ENTRY', pnl: '0.00' })
    expect(say(refunded)?.text).toMatch(/^A\/USD · Up 10\.00 · Refunded.* 0\.00$/)
  })

  it('of several: how many, what they came to together, and the way to the list', () => {
    expect(say(ended('o1'), ended('o2', { status: 'lost', pnl: '-10.00' }))).toEqual({
      text: '2 orders ended · −1.50',
      link: { label: en.order.toOrders, href: '#/pages/order/order?tab=closed' },
    })
  })

  it('of none nothing', () => expect(say()).toBeUndefined())
})
