// @vitest-environment happy-dom
import { act } from 'react'
import { BehaviorSubject, Subject } from 'rxjs'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { EndedOrderToasts } from '../../../../src/features/orders/EndedOrderToasts.tsx'
import { togetherMs } from '../../../../src/features/orders/together.ts'
import { changeLanguage, startI18n } from '../../../../src/text/i18n.ts'
import { paths } from '../../../../src/paths.ts'
import { hrefTo } from '../../../../src/router/hashLocation.ts'
import { preferences } from '../../../../src/state/preferences.ts'
import { currentToasts, dismissToast } from '../../../../src/ui/toastStore.ts'
import type { EndedOrder } from '../../../../streams/index.ts'
import { openPage } from '../../../support/openPage.tsx'
import { sampleOrder } from '../../../support/sampleOrder.ts'

beforeAll(async () => {
  // happy-dom has no locks.
  const locks = { query: async () => ({ held: [] }), request: async () => undefined }
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks })
  await startI18n()
  await changeLanguage('en')
})
beforeEach(() => {
  vi.useFakeTimers()
  location.hash = hrefTo(paths.home)
})
afterEach(() => {
  preferences.hiddenResults = false
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
  dismissToast()
})

const texts = () => currentToasts().map(({ text }) => text)
const passMs = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

const endedOf = (ids: readonly string[]): EndedOrder[] =>
  ids.map((id) => ({ order: sampleOrder({ id, status: 'won', pnl: '8.50' }), noticedAt: 0 }))

/** @param before what ended before it was opened */
async function openApp(before: readonly string[] = []) {
  const ended$ = new BehaviorSubject(endedOf(before))
  const catalog$ = new Subject<unknown>()
  const streams = { catalog$, orders: { ended$ } }
  const { render } = await openPage(<EndedOrderToasts />, { streams })
  return {
    end: async (id: string) => {
      await act(async () => ended$.next(endedOf([id])))
      await passMs(togetherMs)
    },
    loadCatalog: async () => {
      catalog$.next({ state: 'ready', fresh: true, value: [{ id: 'A', code: 'A/USD' }] })
      await passMs(1)
    },
    leave: () => render(null),
  }
}

it('tells how an order ended', async () => {
  const { end, loadCatalog } = await openApp()
  await end('e1')
  await loadCatalog()
  expect(texts()).toEqual(['A/USD · Up, 10.00 · Won 8.50'])
})

it('tells nothing after it was left', async () => {
  const { end, loadCatalog, leave } = await openApp()
  await end('e2')
  await leave()
  await loadCatalog()
  expect(texts()).toEqual([])
})

it.each([
  ['tells by a notification while the tab is hidden', false, ['A/USD · Up, 10.00 · Won 8.50']],
  ['tells by no notification after it was left', true, []],
])('%s', async (_name, isLeft, expected) => {
  const shown: string[] = []
  class Notification extends EventTarget {
    static readonly permission = 'granted'
    constructor(text: string) {
      super()
      shown.push(text)
    }
  }
  vi.stubGlobal('Notification', Notification)
  vi.stubGlobal('isSecureContext', true)
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  preferences.hiddenResults = true
  const { end, loadCatalog, leave } = await openApp()
  await end(`n ${isLeft}`)
  if (isLeft) await leave()
  await loadCatalog()
  expect(shown).toEqual(expected)
})

it('tells how an order ended before it was loaded', async () => {
  const { loadCatalog } = await openApp(['l1'])
  await passMs(togetherMs)
  await loadCatalog()
  expect(texts()).toEqual(['A/USD · Up, 10.00 · Won 8.50'])
})
