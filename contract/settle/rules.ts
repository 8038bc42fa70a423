import { meanExit, windowFrom } from './mean.ts'
import { overlaps } from './sources.ts'
import type { Exit, Gap, RefundReason, SettleOrder, SettleTick, Terms } from './types.ts'

/** The instant after which a tick can be the entry. */
export const entryFrom = (terms: Terms, order: Pick<SettleOrder, 'acceptedAt'>): number =>
  order.acceptedAt + (terms.rule === 'R2' ? terms.entryDelayMs : 0)

/** The last instant at which an entry counts. */
export const entryLimit = (terms: Terms, order: Pick<SettleOrder, 'acceptedAt' | 'closeAt'>): number =>
  Math.min(entryFrom(terms, order) + terms.entryTimeoutMs, order.closeAt)

/**
 * The instant after which a tick can decide an order. By rule R2 it is before the acceptance: a source that changes soon
 * after it ends a window that began before. proofRanges.ts has the same in SQL.
 */
export const decidedFrom = (terms: Terms, order: Pick<SettleOrder, 'acceptedAt'>): number =>
  order.acceptedAt - (terms.rule === 'R2' ? terms.exitWindowMs : 0)

/** The first tick with entryFrom < at ≤ entryLimit. */
export function entryOf(terms: Terms, order: SettleOrder, ticks: readonly SettleTick[]): SettleTick | null {
  const [from, limit] = [entryFrom(terms, order), entryLimit(terms, order)]
  return ticks.find((tick) => tick.at > from && tick.at <= limit) ?? null
}

/** The exit of an order with an entry; null if there are no ticks that the rule may use. */
export function exitOf(
  terms: Terms,
  order: SettleOrder,
  entry: SettleTick,
  ticks: readonly SettleTick[],
): Exit | null {
  if (terms.rule === 'R2') return meanExit(terms, order, entry, ticks)
  return ticks.findLast((tick) => tick.at <= order.closeAt) ?? null
}

/** An order with what the rule found for it, and the ticks it looked at. */
export type Decided = {
  order: SettleOrder
  entry: SettleTick | null
  exit: Exit | null
  ticks: readonly SettleTick[]
}

/** Whether a gap overlaps the time up to the entry, or the time that decides the exit. */
export function causesRefund(
  terms: Terms,
  { order, entry, exit }: Omit<Decided, 'ticks'>,
  gap: Gap,
): boolean {
  if (overlaps(gap, order.acceptedAt, entry ? entry.at : entryLimit(terms, order))) return true
  if (terms.rule === 'R2') return overlaps(gap, windowFrom(terms, order), order.closeAt)
  return exit !== null && 'at' in exit && overlaps(gap, exit.at, order.closeAt)
}

/** The first reason that applies; null if the order has a result. */
export function refundReason(terms: Terms, decided: Decided, gaps: readonly Gap[]): RefundReason | null {
  const { order, entry, exit, ticks } = decided
  if (gaps.some((gap) => causesRefund(terms, decided, gap))) return 'FEED_DOWN'
  if (!entry) return 'NO_ENTRY'
  if (!ticks.some(({ seq, at }) => seq > entry.seq && at <= order.closeAt)) return 'ONE_TICK'
  const isStale = !exit || ('at' in exit && order.closeAt - exit.at > terms.maxTickGapMs)
  return isStale ? 'STALE_EXIT' : null
}
