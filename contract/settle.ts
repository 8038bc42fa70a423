import type { Minor } from './brand.ts'
import { minor } from './brand.ts'
import { winOf } from './money.ts'

/** The terms an order was placed under; they stay with it whatever changes later. */
export type Terms = {
  rule: string
  priceDecimals: number
  rateBp: number
  entryTimeoutMs: number
  maxTickGapMs: number
}
export type SettleOrder = { direction: 'up' | 'down'; amount: Minor; acceptedAt: number; closeAt: number }
/** `price` is an integer at the terms' `priceDecimals`. */
export type SettleTick = { seq: number; at: number; price: number }
/** Time that the feed did not cover: it misses the instants t with from < t ≤ to; `to` is null while it lasts. */
export type Gap = { from: number; to: number | null }

export type RefundReason = 'FEED_DOWN' | 'NO_ENTRY' | 'ONE_TICK' | 'STALE_EXIT'
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
 * Rule R1, the one pure function that the venue settles by and the client checks with.
 * `ticks` ascend in `seq`; any slice that holds the entry and the exit gives the same answer as the whole log.
 */
export function settle(
  terms: Terms,
  order: SettleOrder,
  ticks: readonly SettleTick[],
  gaps: readonly Gap[],
): Settlement {
  const entry = entryOf(terms, order, ticks)
  const exit = entry && (ticks.findLast((tick) => tick.at <= order.closeAt) ?? null)
  const reason = refundReason(terms, order, entry, exit, gaps)
  if (reason !== null || !entry || !exit) {
    return closed('refunded', reason ?? 'NO_ENTRY', entry, exit, order.amount, order.amount)
  }
  if (exit.price === entry.price) return closed('tied', null, entry, exit, order.amount, order.amount)
  const rose = exit.price > entry.price
  const won = rose === (order.direction === 'up')
  const payout = won ? minor(order.amount + winOf(order.amount, terms.rateBp)) : minor(0)
  return closed(won ? 'won' : 'lost', null, entry, exit, payout, order.amount)
}

/** What a position would bring if its product's clock stopped at `price`: the same arithmetic, for display only. */
export function ifEndedNow(
  order: Pick<SettleOrder, 'direction' | 'amount'>,
  rateBp: number,
  entryPrice: number,
  price: number,
): Minor {
  if (price === entryPrice) return minor(0)
  const won = price > entryPrice === (order.direction === 'up')
  return won ? winOf(order.amount, rateBp) : minor(0 - order.amount)
}

/** A gap overlaps (a, b] iff from < b and it has not ended, or ended after a. */
export const overlaps = (gap: Gap, a: number, b: number): boolean =>
  gap.from < b && (gap.to === null || gap.to > a)

function refundReason(
  terms: Terms,
  order: SettleOrder,
  entry: SettleTick | null,
  exit: SettleTick | null,
  gaps: readonly Gap[],
): RefundReason | null {
  const beforeEntry = entry ? entry.at : entryLimit(terms, order)
  const down = gaps.some(
    (gap) =>
      overlaps(gap, order.acceptedAt, beforeEntry) ||
      (exit !== null && overlaps(gap, exit.at, order.closeAt)),
  )
  if (down) return 'FEED_DOWN'
  if (!entry || !exit) return 'NO_ENTRY'
  if (exit.seq === entry.seq) return 'ONE_TICK'
  return order.closeAt - exit.at > terms.maxTickGapMs ? 'STALE_EXIT' : null
}

function closed(
  status: FinalStatus,
  reason: RefundReason | null,
  entry: SettleTick | null,
  exit: SettleTick | null,
  payout: Minor,
  amount: Minor,
): Settlement {
  return { status, reason, entry, exit, payout, pnl: minor(payout - amount) }
}
