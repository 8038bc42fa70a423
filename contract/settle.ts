import type { Minor, PriceUnits } from './brand.ts'
import { minor } from './brand.ts'
import { winProfit } from './money.ts'

/** The terms an order was placed under; later changes do not affect them. */
export type Terms = {
  rule: string
  priceDecimals: number
  rateBp: number
  entryTimeoutMs: number
  maxTickGapMs: number
  /** Fingerprint of the source that the product's prices came from when the order was accepted. */
  source: string
}
/** A source of a product's prices: its ticks are those later than `sinceAt`, until the next source's `sinceAt`. */
export type SettleSource = { sinceAt: number; fingerprint: string }
export type SettleOrder = { direction: 'up' | 'down'; amount: Minor; acceptedAt: number; closeAt: number }
/** `price` is an integer at the terms' `priceDecimals`. */
export type SettleTick = { seq: number; at: number; price: PriceUnits }
/** Time that the feed did not cover: it misses the instants t with from < t ≤ to; `to` is null while it lasts. */
export type Gap = { from: number; to: number | null }

export type RefundReason = 'SOURCE_CHANGED' | 'FEED_DOWN' | 'NO_ENTRY' | 'ONE_TICK' | 'STALE_EXIT'
export type FinalStatus = 'won' | 'lost' | 'tied' | 'refunded'
export type Settlement = {
  status: FinalStatus
  reason: RefundReason | null
  entry: SettleTick | null
  exit: SettleTick | null
  payout: Minor
  pnl: Minor
}

/** The last instant at which an entry counts. */
export const entryLimit = (terms: Terms, order: SettleOrder): number =>
  Math.min(order.acceptedAt + terms.entryTimeoutMs, order.closeAt)

/** The first tick with acceptedAt < at ≤ limit. */
export function entryOf(terms: Terms, order: SettleOrder, ticks: readonly SettleTick[]): SettleTick | null {
  const limit = entryLimit(terms, order)
  return ticks.find((tick) => tick.at > order.acceptedAt && tick.at <= limit) ?? null
}

/**
 * The first source other than the order's own that set prices between `acceptedAt` and `closeAt`; undefined if none did.
 * `sources` ascend in `sinceAt`.
 */
export function otherSource(
  terms: Pick<Terms, 'source'>,
  { acceptedAt, closeAt }: Pick<SettleOrder, 'acceptedAt' | 'closeAt'>,
  sources: readonly SettleSource[],
): SettleSource | undefined {
  return sources.find(
    ({ sinceAt, fingerprint }, i) =>
      fingerprint !== terms.source &&
      overlaps({ from: sinceAt, to: sources[i + 1]?.sinceAt ?? null }, acceptedAt, closeAt),
  )
}

/** The order with `closeAt` moved to the change of its source, if there was one: only ticks up to it count. */
export function onOwnSource(
  terms: Pick<Terms, 'source'>,
  order: SettleOrder,
  sources: readonly SettleSource[],
): SettleOrder {
  const other = otherSource(terms, order, sources)
  return other ? { ...order, closeAt: Math.max(other.sinceAt, order.acceptedAt) } : order
}

/**
 * Rule R1, the pure function by which the venue settles and the client verifies. An order whose source changed before it
 * closed is refunded; its exit is then the last tick of its own source.
 * `ticks` ascend in `seq`; any slice that contains the entry and the exit has the same result as the whole log.
 * `gaps` and `sources` are all of the product's, or those that touch (acceptedAt, closeAt].
 */
export function settle(
  terms: Terms,
  order: SettleOrder,
  ticks: readonly SettleTick[],
  gaps: readonly Gap[],
  sources: readonly SettleSource[],
): Settlement {
  const own = onOwnSource(terms, order, sources)
  const entry = entryOf(terms, own, ticks)
  const exit = entry && (ticks.findLast((tick) => tick.at <= own.closeAt) ?? null)
  const changed = otherSource(terms, order, sources) !== undefined
  const reason = changed ? 'SOURCE_CHANGED' : refundReason(terms, order, entry, exit, gaps)
  if (reason !== null || !entry || !exit) {
    return settlementOf('refunded', reason ?? 'NO_ENTRY', entry, exit, order.amount, order.amount)
  }
  if (exit.price === entry.price) return settlementOf('tied', null, entry, exit, order.amount, order.amount)
  const rose = exit.price > entry.price
  const won = rose === (order.direction === 'up')
  const payout = won ? minor(order.amount + winProfit(order.amount, terms.rateBp)) : minor(0)
  return settlementOf(won ? 'won' : 'lost', null, entry, exit, payout, order.amount)
}

/** The outcome of a refunded order at the last tick before the gap or the change of source that caused the refund. */
export type InterruptedOutcome = {
  /** The cause of the refund: the gap by its `from`, or the source by its `sinceAt`. */
  cause: { kind: 'gap' | 'source'; at: number }
  side: 'ahead' | 'behind' | 'level'
  /** What it would have won or lost if it had ended there; 0 for an order without an entry. */
  pnl: Minor
}

/**
 * The outcome of an order refunded because of a gap or another source; null for every other order. Of several gaps the
 * earliest counts, so that each order counts once.
 */
export function interruptedOutcomeOf(
  terms: Terms,
  order: SettleOrder,
  { reason, entry, exit }: Settlement,
  gaps: readonly Gap[],
  sources: readonly SettleSource[],
): InterruptedOutcome | null {
  const other = otherSource(terms, order, sources)
  if (other) return outcomeAt({ kind: 'source', at: other.sinceAt }, order, terms.rateBp, entry, exit)
  if (reason !== 'FEED_DOWN') return null
  const touching = gaps.filter((gap) => causesRefund(terms, order, entry, exit, gap))
  const from = Math.min(...touching.map((gap) => gap.from))
  const entered = entry !== null && entry.at <= from ? entry : null
  return outcomeAt({ kind: 'gap', at: from }, order, terms.rateBp, entered, exit)
}

function outcomeAt(
  cause: InterruptedOutcome['cause'],
  order: SettleOrder,
  rateBp: number,
  entry: SettleTick | null,
  exit: SettleTick | null,
): InterruptedOutcome {
  if (!entry || !exit) return { cause, side: 'level', pnl: minor(0) }
  const pnl = pnlAtPrice(order, rateBp, entry.price, exit.price)
  const rose = (exit.price - entry.price) * (order.direction === 'up' ? 1 : -1)
  return { cause, side: rose > 0 ? 'ahead' : rose < 0 ? 'behind' : 'level', pnl }
}

/** The PnL of a position if it settled at `price`: the same arithmetic, for display only. */
export function pnlAtPrice(
  order: Pick<SettleOrder, 'direction' | 'amount'>,
  rateBp: number,
  entryPrice: PriceUnits,
  price: PriceUnits,
): Minor {
  if (price === entryPrice) return minor(0)
  const won = price > entryPrice === (order.direction === 'up')
  return won ? winProfit(order.amount, rateBp) : minor(0 - order.amount)
}

/** A gap overlaps (a, b] iff from < b and it has not ended, or ended after a. */
export const overlaps = (gap: Gap, a: number, b: number): boolean =>
  gap.from < b && (gap.to === null || gap.to > a)

/** Whether a gap overlaps the time up to the entry, or the time from the exit to the close. */
function causesRefund(
  terms: Terms,
  order: SettleOrder,
  entry: SettleTick | null,
  exit: SettleTick | null,
  gap: Gap,
): boolean {
  const beforeEntry = entry ? entry.at : entryLimit(terms, order)
  return (
    overlaps(gap, order.acceptedAt, beforeEntry) || (exit !== null && overlaps(gap, exit.at, order.closeAt))
  )
}

function refundReason(
  terms: Terms,
  order: SettleOrder,
  entry: SettleTick | null,
  exit: SettleTick | null,
  gaps: readonly Gap[],
): RefundReason | null {
  if (gaps.some((gap) => causesRefund(terms, order, entry, exit, gap))) return 'FEED_DOWN'
  if (!entry || !exit) return 'NO_ENTRY'
  if (exit.seq === entry.seq) return 'ONE_TICK'
  return order.closeAt - exit.at > terms.maxTickGapMs ? 'STALE_EXIT' : null
}

function settlementOf(
  status: FinalStatus,
  reason: RefundReason | null,
  entry: SettleTick | null,
  exit: SettleTick | null,
  payout: Minor,
  amount: Minor,
): Settlement {
  return { status, reason, entry, exit, payout, pnl: minor(payout - amount) }
}
