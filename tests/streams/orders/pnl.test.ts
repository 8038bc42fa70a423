import { NEVER } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { minor, priceUnits, epochMs } from '../../../contract/brand.ts'
import type { LivePnl, Loadable, Order, Quote } from '../../../streams/index.ts'
import { nextPnl, openPnl$, pnl$ } from '../../../streams/orders/pnl.ts'
import { marbles } from '../../support/marbles.ts'
import { sampleOrder } from '../../support/sampleOrder.ts'
import { sampleQuote } from '../../support/tickRuns.ts'

const entry = { seq: 1, at: epochMs(1_000_001), price: '100.00' }
const open = sampleOrder({ status: 'open', version: 2, entry })
const unknown: LivePnl = { pnl: undefined, price: undefined }
const liveAt = (pnl: number, price: number): LivePnl => ({ pnl: minor(pnl), price: priceUnits(price) })
const winning = liveAt(850, 10_001)

describe('pnl$', () => {
  it.each<[string, LivePnl, Order, Quote, LivePnl]>([
    ['wins above the entry', unknown, open, sampleQuote(10_001), winning],
    ['loses below it', unknown, open, sampleQuote(9999), liveAt(-1000, 9999)],
    ['is level at it', unknown, open, sampleQuote(10_000), liveAt(0, 10_000)],
    ['is reversed for down', unknown, { ...open, direction: 'down' }, sampleQuote(9999), liveAt(850, 9999)],
    ['is unknown without an entry', unknown, sampleOrder(), sampleQuote(10_001), unknown],
    ['is unknown with a stale price', winning, open, sampleQuote(10_001, { stale: true }), unknown],
    [
      'keeps its value after the close',
      winning,
      open,
      sampleQuote(9000, { at: epochMs(1_030_001) }),
      winning,
    ],
    [
      'counts a price at the exact close',
      winning,
      open,
      sampleQuote(9000, { at: epochMs(1_030_000) }),
      liveAt(-1000, 9000),
    ],
  ])('%s', (_name, before, order, next, after) => {
    expect(nextPnl(before, order, next)).toEqual(after)
  })

  it('follows quotes and emits only changes', () =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const quote$ = hot(' -a-a-b', { a: sampleQuote(10_001), b: sampleQuote(9999) })
      const expected = '   uw---l'
      const values = { u: unknown, w: winning, l: liveAt(-1000, 9999) }
      expectObservable(
        pnl$(open, () => quote$),
        '^------!',
      ).toBe(expected, values)
      expectSubscriptions(quote$.subscriptions).toBe('^------!')
    }))

  it('is the final PnL of an ended order', () =>
    marbles(({ expectObservable }) => {
      const won = sampleOrder({ status: 'won', pnl: '8.50', exit: { ...entry, price: '100.01' } })
      expectObservable(pnl$(won, () => NEVER)).toBe('(w|)', { w: winning })
    }))
})

describe('openPnl$', () => {
  const ready = (value: Order[]): Loadable<Order[]> => ({ state: 'ready', value, fresh: true })

  it('sums orders with an entry, once per frame, and is unknown with a stale price', () =>
    marbles(({ hot, expectObservable }) => {
      const two = [open, { ...open, id: 'o2', productId: 'B' }, sampleOrder({ id: 'o3' })]
      const open$ = hot('  n---t---------n', { n: ready([]), t: ready(two) })
      const a$ = hot('     -----w----w----', { w: liveAt(850, 1) })
      const b$ = hot('     -----l--u------', { l: liveAt(-1000, 1), u: unknown })
      const frame$ = hot(' --f---f--f--f---f')
      const expected = '   --z---s--u------z'
      const values = { z: 0, s: -150, u: undefined }
      expectObservable(openPnl$(open$, (order) => (order.productId === 'A' ? a$ : b$), frame$)).toBe(
        expected,
        values,
      )
    }))
})
