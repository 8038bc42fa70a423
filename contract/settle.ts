import { minor, type Minor, type PriceUnits } from './units.ts'
import { winProfit } from './money.ts'
import { meanExit, riseOf, windowFrom } from './settle/mean.ts'
import { causesRefund, entryOf, exitOf, refundReason } from './settle/rules.ts'
import { onOwnSource, otherSource } from './settle/sources.ts'
import type {
  Exit,
  FinalStatus,
  Gap,
  RefundReason,
  Settlement,
  SettleOrder,
  SettleSource,
  SettleTick,
  Terms,
} from './settle/types.ts'

export { isMean, meanValue, riseOf, windowFrom } from './settle/mean.ts'
export { decidedFrom, entryFrom, entryLimit } from './settle/rules.ts'
export { onOwnSource, otherSource, overlaps } from './settle/sources.ts'
export type * from './settle/types.ts'

/**
 * Rules R1 and R2, the pure function by which the venue settles and the client verifies. An order whose source changed
 * before it closed is refunded; its exit is then that of an order that closed at the change.
 * `ticks` ascend in `seq`. Any slice has the same result as the whole log if it contains the entry and what decides the
 * exit: by R1 the last tick up to the close; by R2 the window's ticks, and the newest `exitMinTicks` up to the close.
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
  const exit = entry && exitOf(terms, own, entry, ticks)
  const changed = otherSource(terms, order, sources) !== undefined
  const reason = changed ? 'SOURCE_CHANGED' : refundReason(terms, { order, entry, exit, ticks }, gaps)
  if (reason !== null || !entry || !exit) {
    return settlementOf('refunded', reason ?? 'NO_ENTRY', entry, exit, order.amount, order.amount)
  }
  const rise = riseOf(entry, exit)
  if (rise === 0) return settlementOf('tied', null, entry, exit, order.amount, order.amount)
  const won = rise > 0 === (order.direction === 'up')
  const payout = won ? minor(order.amount + winProfit(order.amount, terms.rateBp)) : minor(0)
  return settlementOf(won ? 'won' : 'lost', null, entry, exit, payout, order.amount)
}

/**
 * What an open order is worth if it ended now: by R1, and by R2 before its window, at the newest price; inside the window
 * at the mean of rule 2 over the ticks so far.
 * @param ticks ascending in `seq`, up to now and not after `closeAt`: the entry, those of the window so far, and the
 *   newest `exitMinTicks`
 */
export function valuationOf(
  terms: Terms,
  order: Pick<SettleOrder, 'closeAt'>,
  entry: SettleTick,
  ticks: readonly SettleTick[],
): Exit {
  const newest = ticks.at(-1) ?? entry
  if (terms.rule === 'R1' || newest.at <= windowFrom(terms, order)) return newest
  return meanExit(terms, order, entry, ticks) ?? newest
}

/** The outcome of a refunded order at the last tick before the gap or the change of source that caused the refund. */
export type InterruptedOutcome = {
  /** The cause of the refund: the gap by its `from`, or the source by its `sinceAt`. */
  cause: { kind: 'gap' | 'source'; at: number }
  side: 'ahead' | 'behind' | 'level'
  /** What it would have won or lost if it had ended there; 0 for an order without an entry. */
  pnl: Minor
}

/** What caused the refund of an order; null for an order that was not refunded because of a gap or another source. */
export function interruptionOf(
  terms: Terms,
  order: SettleOrder,
  { reason, entry, exit }: Settlement,
  gaps: readonly Gap[],
  sources: readonly SettleSource[],
): InterruptedOutcome['cause'] | null {
  const other = otherSource(terms, order, sources)
  if (other) return { kind: 'source', at: other.sinceAt }
  if (reason !== 'FEED_DOWN') return null
  const touching = gaps.filter((gap) => causesRefund(terms, { order, entry, exit }, gap))
  return { kind: 'gap', at: Math.min(...touching.map((gap) => gap.from)) }
}

/**
 * The outcome of an order refunded because of a gap or another source; null for every other order. Of several gaps the
 * earliest counts, so that each order counts once.
 * @param ticks those of {@link settle}, and by R2 what {@link valuationOf} needs at the cause
 */
export function interruptedOutcomeOf(
  terms: Terms,
  order: SettleOrder,
  settlement: Settlement,
  ticks: readonly SettleTick[],
  gaps: readonly Gap[],
  sources: readonly SettleSource[],
): InterruptedOutcome | null {
  const cause = interruptionOf(terms, order, settlement, gaps, sources)
  if (!cause) return null
  const { entry, exit } = settlement
  const entered = entry !== null && (cause.kind === 'source' || entry.at <= cause.at) ? entry : null
  if (!entered) return { cause, side: 'level', pnl: minor(0) }
  const seen = ticks.filter(({ at }) => at <= Math.min(cause.at, order.closeAt))
  const ended = terms.rule === 'R2' ? valuationOf(terms, order, entered, seen) : (exit ?? entered)
  const pnl = pnlAt(order, terms.rateBp, entered.price, ended)
  const side = riseOf(entered, ended) * (order.direction === 'up' ? 1 : -1)
  return { cause, side: side > 0 ? 'ahead' : side < 0 ? 'behind' : 'level', pnl }
}

/** The PnL of a position if it ended at `exit`: the same arithmetic, for display only. */
export function pnlAt(
  order: Pick<SettleOrder, 'direction' | 'amount'>,
  rateBp: number,
  entryPrice: PriceUnits,
  exit: Exit,
): Minor {
  const rise = riseOf({ price: entryPrice }, exit)
  if (rise === 0) return minor(0)
  const won = rise > 0 === (order.direction === 'up')
  return won ? winProfit(order.amount, rateBp) : minor(0 - order.amount)
}

function settlementOf(
  status: FinalStatus,
  reason: RefundReason | null,
  entry: SettleTick | null,
  exit: Exit | null,
  payout: Minor,
  amount: Minor,
): Settlement {
  return { status, reason, entry, exit, payout, pnl: minor(payout - amount) }
}
