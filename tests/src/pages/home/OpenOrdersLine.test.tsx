// @vitest-environment happy-dom
import { act } from 'react'
import { BehaviorSubject, EMPTY, of } from 'rxjs'
import { afterEach, expect, it } from 'vitest'
import { minor, epochMs } from '../../../../contract/units.ts'
import en from '../../../../locales/en.json' with { type: 'json' }
import { OpenOrdersLine } from '../../../../src/pages/home/OpenOrdersLine.tsx'
import { preferences } from '../../../../src/state/preferences.ts'
import type { Loadable, Order } from '../../../../streams/index.ts'
import { openPage } from '../../../support/openPage.tsx'
import { sampleOrder } from '../../../support/sampleOrder.ts'

afterEach(() => {
  preferences.amountsHidden = false
})

const ready = <T,>(value: T): Loadable<T> => ({ state: 'ready', fresh: true, value })
const loading: Loadable<Order[]> = { state: 'loading' }

async function openLine(first: Loadable<Order[]>, openStakes = '0.00') {
  const open$ = new BehaviorSubject(first)
  const leftMs: Record<string, number> = { o1: 24_000, o2: 90_000 }
  const streams = {
    assets$: of(ready({ openStakes })),
    catalog$: of(ready([{ id: 'A', code: 'A/USD' }])),
    connection$: EMPTY,
    orders: {
      open$,
      openPnl$: of(minor(850)),
      countdown$: ({ closeAt }: Order) => of({ remainingMs: leftMs[closeAt === 1_030_000 ? 'o1' : 'o2'] }),
    },
  }
  const { container } = await openPage(<OpenOrdersLine />, { streams })
  return {
    text: () => container.textContent,
    href: () => container.querySelector('a')?.getAttribute('href'),
    next: (orders: Order[]) => act(async () => open$.next(ready(orders))),
  }
}

const later = sampleOrder({ id: 'o2', closeAt: epochMs(1_090_000) })

it('shows an order with its product, its P&L and its time left, and leads to it', async () => {
  const { text, href } = await openLine(ready([sampleOrder()]))
  expect(text()).toBe('A/USDUnrealised P&L +8.50Time left 0:24')
  expect(href()).toBe('#/pages/order/order?tab=positions')
})

it('shows how many there are, their P&L together and the shortest time left', async () => {
  const { text } = await openLine(ready([later, sampleOrder()]))
  expect(text()).toBe('2 open positionsUnrealised P&L +8.50Time left 0:24')
})

it('shows nothing without an open order', async () => {
  expect((await openLine(ready([]))).text()).toBe('')
  expect((await openLine(loading)).text()).toBe('')
})

it('has its place from the first paint on if money is in open orders, and keeps it once they have closed', async () => {
  const { href, text, next } = await openLine(loading, '10.00')
  expect(href()).toBeDefined()
  await next([later])
  expect(text()).toContain('1:30')
  await next([])
  expect(text()).toBe(en.home.noPositions)
})

it('says that an order is being settled', async () => {
  const { text } = await openLine(ready([sampleOrder({ status: 'settling' })]))
  expect(text()).toContain(en.order.settling)
})

it('hides the P&L with the other amounts', async () => {
  preferences.amountsHidden = true
  expect((await openLine(ready([sampleOrder()]))).text()).not.toContain('8.50')
})
