import {
  combineLatest,
  distinctUntilChanged,
  filter,
  map,
  of,
  ReplaySubject,
  scan,
  share,
  startWith,
  switchMap,
  take,
  type Observable,
} from 'rxjs'
import { minor, type Minor } from '../../../contract/units.ts'
import { moneyOf } from '../../../contract/money.ts'
import { isFinal, type Order } from '../../../contract/orders.ts'
import { parsePrice } from '../../../contract/price.ts'
import { isMean, pnlAt, valuationOf, windowFrom, type SettleTick } from '../../../contract/settle.ts'
import { perAnimationFrame } from '../../operators/perAnimationFrame.ts'
import { readyValue$ } from '../../prices/catalog.ts'
import { ticksOf } from '../../prices/tickRun.ts'
import type { LivePnl, Loadable, Quote, Streams, TicksEvent } from '../../types.ts'

const unknown: LivePnl = { pnl: undefined, price: undefined, mean: undefined }

type PnlParts = Pick<Streams, 'quote$' | 'ticksSince$'>

/** {@link pnl$}, computed once for all subscribers of an order: each would fetch the ticks of its window. */
export function createPnl(parts: PnlParts): (order: Order) => Observable<LivePnl> {
  const shared = new WeakMap<Order, Observable<LivePnl>>()
  return (order) => {
    const known = shared.get(order)
    if (known !== undefined) return known
    const live$ = pnl$(order, parts).pipe(share({ connector: () => new ReplaySubject<LivePnl>(1) }))
    shared.set(order, live$)
    return live$
  }
}

/**
 * The PnL of an order "if it ended now", in minor units, with the price it is based on: the newest one, or by rule R2
 * inside its window the mean of the window so far. Unknown without an entry or with a stale price; prices after `closeAt`
 * do not count. An ended order has its final PnL.
 */
export function pnl$(order: Order, { quote$, ticksSince$ }: PnlParts): Observable<LivePnl> {
  if (isFinal(order.status)) return of(finalPnl(order))
  const quotes$ = quote$(order.productId)
  return combineLatest([quotes$, windowTicks$(order, quotes$, ticksSince$)]).pipe(
    scan((before, [quote, ticks]) => nextPnl(before, order, quote, ticks), unknown),
    startWith(unknown),
    distinctUntilChanged(
      (a, b) =>
        a.pnl === b.pnl &&
        a.price === b.price &&
        a.mean?.sum === b.mean?.sum &&
        a.mean?.ticks === b.mean?.ticks,
    ),
  )
}

/**
 * The ticks that an averaged exit is computed from, once the order's window has begun; before that, and by rule R1,
 * none. Only then are they fetched, because most open orders need no ticks.
 */
function windowTicks$(
  { productId, terms, entry, closeAt }: Order,
  quotes$: Observable<Quote>,
  ticksSince$: Streams['ticksSince$'],
): Observable<readonly SettleTick[]> {
  if (terms.rule === 'R1' || entry === null) return of([])
  const from = windowFrom(terms, { closeAt })
  const since = Math.max(entry.at, Math.min(from, closeAt - terms.maxTickGapMs))
  return quotes$.pipe(
    filter((quote) => quote.at > from),
    take(1),
    switchMap(() => ticksSince$(productId, since)),
    scan<TicksEvent, readonly SettleTick[]>((known, event) => {
      if (event.kind === 'failed') return known
      // A restarted sequence repeats what is known.
      return [...known.filter(({ seq }) => seq < event.run.seq0), ...ticksOf(event.run)]
    }, []),
    startWith([]),
  )
}

/** The reducer of quotes and of the ticks since the order's window began. */
export function nextPnl(
  before: LivePnl,
  order: Order,
  quote: Quote,
  ticks: readonly SettleTick[] = [],
): LivePnl {
  const counted = ticks.filter(({ at }) => at <= order.closeAt)
  if (quote.at > order.closeAt && counted.length === 0) return before
  if (quote.stale) return unknown
  const price = order.entry && parsePrice(order.entry.price, order.terms.priceDecimals)
  if (order.entry === null || price === null || price === undefined) return unknown
  const entry = { ...order.entry, price }
  const worth = counted.length === 0 ? quote : valuationOf(order.terms, order, entry, counted)
  const position = { direction: order.direction, amount: moneyOf(order.amount) }
  const pnl = pnlAt(position, order.rateBp, price, worth)
  return isMean(worth) ? { pnl, price: undefined, mean: worth } : { pnl, price: worth.price, mean: undefined }
}

function finalPnl(order: Order): LivePnl {
  const price =
    order.exit && 'price' in order.exit ? parsePrice(order.exit.price, order.terms.priceDecimals) : undefined
  return {
    pnl: order.pnl === null ? undefined : moneyOf(order.pnl),
    price: price ?? undefined,
    mean: undefined,
  }
}

/** {@link pnlSum$} of all open positions. */
export function openPnl$(
  open$: Observable<Loadable<Order[]>>,
  pnlOf$: (order: Order) => Observable<LivePnl>,
  animationFrame$: Observable<unknown>,
): Observable<Minor | undefined> {
  return pnlSum$(readyValue$(open$), pnlOf$, animationFrame$)
}

/**
 * Σ over open positions. One without an entry would be refunded, so it counts 0; one with an entry but without a fresh
 * price makes the sum unknown. Emitted at most once per animation frame.
 */
export function pnlSum$(
  orders$: Observable<readonly Order[]>,
  pnlOf$: (order: Order) => Observable<LivePnl>,
  animationFrame$: Observable<unknown>,
): Observable<Minor | undefined> {
  return orders$.pipe(
    distinctUntilChanged(),
    switchMap((orders) => {
      const entered = orders.filter((order) => order.entry !== null)
      return entered.length === 0 ? of([]) : combineLatest(entered.map((order) => pnlOf$(order)))
    }),
    map((parts) => parts.reduce<Minor | undefined>(add, minor(0))),
    perAnimationFrame(animationFrame$),
    distinctUntilChanged(),
  )
}

const add = (sum: Minor | undefined, { pnl }: LivePnl): Minor | undefined =>
  sum === undefined || pnl === undefined ? undefined : minor(sum + pnl)
