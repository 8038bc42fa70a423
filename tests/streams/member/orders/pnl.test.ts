import { NEVER, Subject } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { minor, priceUnits, epochMs } from '../../../../contract/units.ts'
import type { LivePnl, Loadable, Order, Quote, TicksEvent } from '../../../../streams/index.ts'
import { createPnl, nextPnl, openPnl$, pnl$, pnlSum$ } from '../../../../streams/member/orders/pnl.ts'
import { marbles } from '../../../support/marbles.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'
import { sampleQuote } from '../../../support/tickRuns.ts'

const entry = { seq: 1, at: epochMs(1_000_001), price: '100.00' }
const open = sampleOrder({ status: 'open', version: 2, entry })
const unknown: LivePnl = { pnl: undefined, price: undefined, mean: undefined }
const liveAt = (pnl: number, price: number): LivePnl => ({
  pnl: minor(pnl),
  price: priceUnits(price),
  mean: undefined,
})
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
      expectObservable(pnl$(open, { quote$: () => quote$, ticksSince$: () => NEVER }), '^------!').toBe(
        expected,
        values,
      )
      expectSubscriptions(quote$.subscriptions).toBe('^------!')
    }))

  it('is the final PnL of an ended order', () =>
    marbles(({ expectObservable }) => {
      const won = sampleOrder({ status: 'won', pnl: '8.50', exit: { ...entry, price: '100.01' } })
      expectObservable(pnl$(won, { quote$: () => NEVER, ticksSince$: () => NEVER })).toBe('(w|)', {
        w: winning,
      })
    }))
})

describe('pnl$ by rule R2', () => {
  /** The window is (1,020,000, 1,030,000]. */
  const terms = { entryDelayMs: 500, exitWindowMs: 10_000, exitCutBp: 2000, exitMinTicks: 3 }
  const averaged: Order = { ...open, terms: { ...open.terms, rule: 'R2', ...terms } }
  const tick = (seq: number, at: number, price: number) => ({ seq, at, price: priceUnits(price) })
  const ticks = [tick(5, 1_019_000, 9999), tick(6, 1_021_000, 10_002), tick(7, 1_022_000, 10_001)]
  const inWindow = (price: number) => sampleQuote(price, { at: epochMs(1_022_000) })

  it('is at the newest price before the window, and inside it until its ticks are known', () => {
    expect(nextPnl(unknown, averaged, sampleQuote(9999))).toEqual(liveAt(-1000, 9999))
    expect(nextPnl(unknown, averaged, inWindow(9999), [])).toEqual(liveAt(-1000, 9999))
  })

  it('is at the mean so far inside the window, as the exit is computed', () => {
    const mean = { value: 100_007n, sum: 30_002n, ticks: 3, from: 5, to: 7 }
    const live = { pnl: minor(850), price: undefined, mean }
    expect(nextPnl(unknown, averaged, inWindow(9000), ticks)).toEqual(live)
    const last = [...ticks, tick(8, 1_030_000, 9990), tick(9, 1_030_001, 1)]
    const after = sampleQuote(1, { at: epochMs(1_030_001) })
    expect(nextPnl(live, averaged, after, last).mean).toMatchObject({ sum: 29_993n, ticks: 3, to: 8 })
    expect(nextPnl(live, averaged, inWindow(9000), []).mean).toBeUndefined()
  })

  it('is unknown with a stale price', () => {
    expect(nextPnl(unknown, averaged, { ...inWindow(9000), stale: true }, ticks)).toEqual(unknown)
  })

  it('fetches the ticks once, when the window has begun, from where an old tick may still count', () => {
    const from: number[] = []
    const quotes = new Subject<Quote>()
    const runs = new Subject<TicksEvent>()
    const seen: LivePnl[] = []
    const ticksSince$ = (_id: string, since: number) => {
      from.push(since)
      return runs
    }
    const running = pnl$(averaged, { quote$: () => quotes, ticksSince$ }).subscribe((live) => seen.push(live))
    quotes.next(sampleQuote(9999, { at: epochMs(1_020_000) }))
    expect(from).toEqual([])
    quotes.next(inWindow(10_001))
    expect(from).toEqual([1_015_000])
    const run = (seq0: number, ...values: number[]) => runs.next({ kind: 'run', run: { seq0, values } })
    run(5, 1_019_000, 9999, 1, 1_021_000, 10_002, 1)
    run(7, 1_022_000, 10_001, 1)
    runs.next({ kind: 'failed', failure: { kind: 'offline' } })
    expect(seen.at(-1)?.mean).toMatchObject({ sum: 30_002n, ticks: 3 })
    run(6, 1_021_000, 10_002, 1, 1_022_000, 10_004, 1)
    expect(seen.at(-1)?.mean).toMatchObject({ sum: 30_005n, ticks: 3 })
    running.unsubscribe()
    expect([quotes.observed, runs.observed]).toEqual([false, false])
  })

  it('fetches the ticks once for all subscribers of an order, and releases them after the last one', () => {
    let fetches = 0
    const quotes = new Subject<Quote>()
    const runs = new Subject<TicksEvent>()
    const pnlOf = createPnl({
      quote$: () => quotes,
      ticksSince$: () => {
        fetches += 1
        return runs
      },
    })
    const seen: LivePnl[] = []
    const first = pnlOf(averaged).subscribe()
    quotes.next(inWindow(10_001))
    runs.next({ kind: 'run', run: { seq0: 5, values: [1_019_000, 9999, 1, 1_021_000, 10_002, 1] } })
    runs.next({ kind: 'run', run: { seq0: 7, values: [1_022_000, 10_001, 1] } })
    const second = pnlOf(averaged).subscribe((live) => seen.push(live))
    expect(fetches).toBe(1)
    expect(seen).toEqual([expect.objectContaining({ mean: expect.objectContaining({ sum: 30_002n }) })])
    first.unsubscribe()
    expect(runs.observed).toBe(true)
    second.unsubscribe()
    expect([quotes.observed, runs.observed]).toEqual([false, false])
  })
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

it('sums some of the orders that are open', () =>
  marbles(({ hot, cold, expectObservable }) => {
    const a$ = hot('    --w---', { w: liveAt(850, 1) })
    const frame$ = hot('---f--')
    const some$ = cold('(s|)', { s: [open] })
    expectObservable(pnlSum$(some$, () => a$, frame$)).toBe('---s', { s: 850 })
  }))
