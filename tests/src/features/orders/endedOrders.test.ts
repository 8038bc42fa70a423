import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import { NEVER, concat, of, tap } from 'rxjs'
import type { EndedOrder, Order } from '../../../../streams/index.ts'
import en from '../../../../locales/en.json' with { type: 'json' }
import { formatOf } from '../../../../src/text/format.ts'
import {
  endedOrders$,
  endedOrdersToast,
  type EndedOrdersOptions,
} from '../../../../src/features/orders/endedOrders.ts'
import { togetherMs } from '../../../../src/features/orders/together.ts'
import { marblesWith } from '../../../support/marbles.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const ended = (id: string, part: Partial<Order> = {}): Order =>
  sampleOrder({ id, status: 'won', payout: '18.50', pnl: '8.50', version: 3, ...part })

describe('endedOrders$', () => {
  const [a, b, c] = [ended('a'), ended('b'), ended('c')]
  /** Those that the page shows. */
  const [h, i] = [ended('h'), ended('i')]
  const all = (...orders: Order[]): EndedOrder[] => orders.map((order) => ({ order, noticedAt: 0 }))
  const lists = { n: all(), a: all(a), b: all(a, b), c: all(a, b, c), h: all(h), m: all(h, a, i, b) }
  const bursts = { A: [a], X: [a, b], Z: [a, b, c], C: [c], B: [b], Y: [b, c] }
  const none = (): boolean => false
  const expectEmits = (
    list: string,
    visible: string,
    expected: string,
    {
      takeHidden = none,
      take = (ids) => of(ids),
    }: Partial<Pick<EndedOrdersOptions, 'takeHidden' | 'take'>> = {},
  ) =>
    marblesWith(({ hot, cold, expectObservable }, scheduler) => {
      const parts: EndedOrdersOptions = {
        ended$: hot(list, lists),
        isShown: (id) => id === 'h' || id === 'i',
        shown$: NEVER,
        visible$: cold(visible, { t: true, f: false }),
        takeHidden,
        take,
        scheduler,
      }
      expectObservable(endedOrders$(parts)).toBe(expected, bursts)
    })
  const wait = `${togetherMs - 1}ms`

  it('emits one order after the batch time', () => expectEmits('na', 't', `- ${togetherMs}ms A`))
  it('emits the orders of a batch together, each once', () =>
    expectEmits('-ab(bb)', 't', `- ${togetherMs}ms X`))
  it('emits a later order separately', () => expectEmits(`nb 1500ms c`, 't', `- ${togetherMs}ms X ${wait} C`))
  it('waits while the page is hidden and then emits at once', () =>
    expectEmits(`na 2000ms b 2000ms c`, 'f 8000ms t', `${4003 + togetherMs}ms 8001ms Z`))
  it('leaves out what a notification takes, also what the hidden page shows', () => {
    const taken: string[] = []
    expectEmits('nh 2000ms a 2000ms c', 'f 4000ms t', `${4003 + togetherMs}ms 4001ms Y`, {
      takeHidden: (orders) => {
        taken.push(orders.map(({ id }) => id).join(' '))
        return true
      },
    })
    expect(taken).toEqual(['h', 'a'])
  })
  it('emits nothing that the page shows, which is told with that at once', () => {
    const taken: string[] = []
    const take = (ids: readonly string[]) => {
      taken.push(...ids)
      return of(ids)
    }
    expectEmits(`-h ${wait} -`, 't', '', { take })
    expect(taken).toEqual(['h'])
  })
  it('tells with the page what it shows a moment later', () => {
    const taken: string[] = []
    let isThere = false
    const isShown = () => isThere
    const take = (ids: readonly string[]) => {
      taken.push(...ids)
      return of(ids)
    }
    marblesWith(({ hot, cold, expectObservable, flush }, scheduler) => {
      const shown$ = hot('---s').pipe(tap(() => (isThere = true)))
      const visible$ = cold('t', { t: true })
      const ended$ = hot('-a', lists)
      const parts = { ended$, isShown, shown$, visible$, takeHidden: none, take, scheduler }
      expectObservable(endedOrders$(parts)).toBe('')
      flush()
      expect(taken).toEqual(['a'])
    })
  })
  it('emits what the page has no space for, together', () => expectEmits('nm', 't', `- ${togetherMs}ms X`))
  it('emits what ended before the subscription', () =>
    marblesWith(({ cold, expectObservable }, scheduler) => {
      const parts = {
        ended$: concat(of(all(a)), NEVER),
        isShown: none,
        shown$: NEVER,
        visible$: cold('t', { t: true }),
        takeHidden: none,
        take: (ids: readonly string[]) => of(ids),
        scheduler,
      }
      expectObservable(endedOrders$(parts)).toBe(`${togetherMs}ms A`, bursts)
    }))
  it('leaves out what another tab has told', () =>
    expectEmits('-b', 't', `- ${togetherMs}ms B`, { take: (ids) => of(ids.filter((id) => id !== 'a')) }))
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
      text: 'A/USD · Up, 10.00 · Won 8.50',
      link: { label: 'Proof', href: '#/pages/order/detail?id=o1' },
    })
  })

  it.each<[Partial<Order>, string]>([
    [{ status: 'lost', payout: '0.00', pnl: '-10.00' }, 'Lost 10.00'],
    [{ status: 'tied', payout: '10.00', pnl: '0.00' }, 'Tied'],
    [{ status: 'refunded', reason: 'NO_ENTRY', pnl: '0.00' }, 'Refunded: no price arrived in time'],
  ])('names a result and its sum once, without a sign: %o', (part, result) => {
    expect(toastOf(ended('o1', part))?.text).toBe(`A/USD · Up, 10.00 · ${result}`)
  })

  it('shows several orders with their number, their total and a link to the list', () => {
    expect(toastOf(ended('o1'), ended('o2', { status: 'lost', pnl: '-10.00' }))).toEqual({
      text: '2 orders closed · −1.50',
      link: { label: en.order.toOrders, href: '#/pages/order/order?tab=closed' },
    })
  })

  it('returns undefined for no orders', () => expect(toastOf()).toBeUndefined())
})
