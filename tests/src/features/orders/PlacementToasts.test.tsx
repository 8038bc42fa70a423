// @vitest-environment happy-dom
import { act } from 'react'
import { BehaviorSubject, NEVER, Subject, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import en from '../../../../locales/en.json' with { type: 'json' }
import { PlacementToasts } from '../../../../src/features/orders/PlacementToasts.tsx'
import { showOutcome } from '../../../../src/features/orders/shownOutcomes.ts'
import { paths } from '../../../../src/paths.ts'
import { hrefTo } from '../../../../src/router/hashLocation.ts'
import { currentToasts, dismissToast } from '../../../../src/ui/toastStore.ts'
import type { EndedOrder, Placement, StoredPlacement } from '../../../../streams/index.ts'
import { openPage } from '../../../support/openPage.tsx'
import { apiFailure } from '../../../support/fakeWireMarket.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'
import { pollScreen } from '../../ui/mount.tsx'

beforeEach(() => {
  location.hash = hrefTo(paths.home)
})
afterEach(() => {
  vi.restoreAllMocks()
  dismissToast()
})

const intentOf = (key: string): StoredPlacement => ({
  key,
  productId: 'A',
  direction: 'up',
  amount: '10.00',
  seconds: 30,
  rateBp: 8500,
  validUntil: 0,
})
const placementOf = (key: string, state: Placement['state'], status: 'accepted' | 'won' = 'accepted') =>
  ({
    state,
    intent: intentOf(key),
    order: sampleOrder({ status }),
    failure: apiFailure(422, 'RATE_CHANGED'),
  }) as unknown as Placement

const texts = () => currentToasts().map(({ text }) => text)
const placed = 'Order placed: A/USD, Buy up, 10.00'
const gone = 'Not placed: A/USD · Up, 10.00. You haven’t been charged'

async function openApp() {
  const [resumed$, outcome$] = [new Subject<Placement>(), new Subject<Placement>()]
  const ended$ = new BehaviorSubject<EndedOrder[]>([])
  const catalog$ = of({ state: 'ready', fresh: true, value: [{ id: 'A', code: 'A/USD' }] })
  const streams = { catalog$, orders: { resumed$, outcome$, ended$ }, event$: () => NEVER }
  const { render } = await openPage(<PlacementToasts />, { streams })
  return {
    resume: (key: string, state: Placement['state']) =>
      act(async () => {
        if (state !== 'unknown') outcome$.next(placementOf(key, state))
        resumed$.next(placementOf(key, state))
      }),
    end: (key: string, state: Placement['state'], status?: 'won') =>
      act(async () => outcome$.next(placementOf(key, state, status))),
    settle: () => act(async () => ended$.next([{ order: sampleOrder({ status: 'won' }), noticedAt: 0 }])),
    leave: () => render(null),
  }
}

const showTab = (isShown: boolean) =>
  act(async () => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(!isShown)
    document.dispatchEvent(new Event('visibilitychange'))
  })

describe('an order whose page was left', () => {
  it('is told as placed', async () => {
    const { end } = await openApp()
    await end('a1', 'accepted')
    await pollScreen(texts).toEqual([placed])
  })
  it('is told as not placed, and why', async () => {
    const { end } = await openApp()
    await end('a2', 'rejected')
    await pollScreen(texts).toEqual([`${gone}. ${en.error.RATE_CHANGED}`])
  })
  it('is told as not placed if it was too late', async () => {
    const { end } = await openApp()
    await end('a3', 'expired')
    await pollScreen(texts).toEqual([gone])
  })
  it('is only spoken on its own page, which shows it', async () => {
    location.hash = hrefTo(paths.product, { id: 'A' })
    const { end } = await openApp()
    await end('a4', 'accepted')
    await pollScreen(() => currentToasts().map(({ kind, text }) => [kind, text])).toEqual([
      ['spoken', 'Order placed: Buy up, 10.00'],
    ])
  })
  it('is left to its sheet while that is open, unless it is placed', async () => {
    const { end } = await openApp()
    const close = showOutcome(intentOf('b1'))
    await end('b1', 'rejected')
    await end('b2', 'accepted')
    await pollScreen(texts).toEqual([placed])
    close()
    await end('b3', 'expired')
    await pollScreen(texts).toEqual([placed, gone])
  })
  it('is left to its result if it has ended', async () => {
    const { end } = await openApp()
    await end('b4', 'accepted', 'won')
    await end('b5', 'expired')
    await pollScreen(texts).toEqual([gone])
  })
})

describe('an order of a hidden tab', () => {
  it('is told once the tab is visible', async () => {
    const { end } = await openApp()
    await showTab(false)
    await end('h1', 'accepted')
    await pollScreen(texts).toEqual([])
    await showTab(true)
    await pollScreen(texts).toEqual([placed])
  })
  it('is not told to whoever logs in meanwhile', async () => {
    const before = await openApp()
    await showTab(false)
    await before.end('h2', 'accepted')
    await before.leave()
    const { end } = await openApp()
    await showTab(true)
    await end('h3', 'expired')
    await pollScreen(texts).toEqual([gone])
  })
  it('is left to its result if it has ended by then', async () => {
    const { end, settle } = await openApp()
    await showTab(false)
    await end('h4', 'accepted')
    await settle()
    await showTab(true)
    await end('h5', 'expired')
    await pollScreen(texts).toEqual([gone])
  })
})

describe('an order that a reload interrupted', () => {
  it.each([
    ['accepted', placed],
    ['expired', en.ticket.resumedGone],
  ] as const)('is looked up, and told as %s', async (state, text) => {
    const { resume } = await openApp()
    await resume(`c ${state}`, 'unknown')
    expect(texts()).toEqual([en.ticket.resumed])
    await resume(`c ${state}`, state)
    await pollScreen(texts).toEqual([text])
  })
  it('keeps the toast of the check while another order is checked', async () => {
    const { resume } = await openApp()
    await resume('d1', 'unknown')
    await resume('d2', 'unknown')
    await resume('d1', 'accepted')
    await pollScreen(texts).toEqual([en.ticket.resumed, placed])
    await resume('d2', 'accepted')
    await pollScreen(texts).toEqual([placed])
  })
})
