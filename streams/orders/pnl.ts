import { combineLatest, distinctUntilChanged, map, of, scan, startWith, switchMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { minor } from '../../contract/brand.ts'
import type { Minor } from '../../contract/brand.ts'
import { moneyOf } from '../../contract/money.ts'
import type { Order } from '../../contract/orders.ts'
import { isFinal } from '../../contract/orders.ts'
import { parsePrice } from '../../contract/price.ts'
import { pnlAt } from '../../contract/settle.ts'
import { perAnimationFrame } from '../operators/perAnimationFrame.ts'
import { readyValue$ } from '../products/catalog.ts'
import type { LivePnl, Loadable, Quote } from '../types.ts'

const unknown: LivePnl = { pnl: undefined, price: undefined }

/**
 * The PnL of an order "if it ended now", in minor units, with the price it is based on (integer at its decimals).
 * Unknown without an entry or with a stale price; prices after `closeAt` do not count. An ended order has its final PnL.
 */
export function pnl$(order: Order, quote$: (id: string) => Observable<Quote>): Observable<LivePnl> {
  if (isFinal(order.status)) return of(finalPnl(order))
  return quote$(order.productId).pipe(
    scan((before, quote) => nextPnl(before, order, quote), unknown),
    startWith(unknown),
    distinctUntilChanged((a, b) => a.pnl === b.pnl && a.price === b.price),
  )
}

/** The reducer of quotes. */
export function nextPnl(before: LivePnl, order: Order, quote: Quote): LivePnl {
  if (quote.at > order.closeAt) return before
  if (quote.stale) return unknown
  const entry = order.entry && parsePrice(order.entry.price, order.terms.priceDecimals)
  if (entry === null || entry === undefined) return unknown
  const amount = moneyOf(order.amount)
  return {
    pnl: pnlAt({ direction: order.direction, amount }, order.rateBp, entry, quote),
    price: quote.price,
  }
}

function finalPnl(order: Order): LivePnl {
  const price =
    order.exit && 'price' in order.exit ? parsePrice(order.exit.price, order.terms.priceDecimals) : undefined
  return { pnl: order.pnl === null ? undefined : moneyOf(order.pnl), price: price ?? undefined }
}

/**
 * Σ over all open positions. One without an entry would be refunded, so it counts 0; one with an entry but without a
 * fresh price makes the sum unknown. Emitted at most once per animation frame.
 */
export function openPnl$(
  open$: Observable<Loadable<Order[]>>,
  pnlOf$: (order: Order) => Observable<LivePnl>,
  animationFrame$: Observable<unknown>,
): Observable<Minor | undefined> {
  return readyValue$(open$).pipe(
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
