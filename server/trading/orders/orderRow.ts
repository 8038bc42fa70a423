import { minor, priceUnits, epochMs } from '../../../contract/units.ts'
import { fillOf, wireExitOf } from '../../../contract/fills.ts'
import { formatMoney } from '../../../contract/money.ts'
import { isFinal, type Order, type OrderHead } from '../../../contract/orders.ts'
import {
  isMean,
  type Exit,
  type Settlement,
  type SettleOrder,
  type SettleTick,
  type Terms,
} from '../../../contract/settle.ts'
import type { OrderRow } from '../schema.ts'
import type { Market } from '../../market/index.ts'

/** An order in the wire format. After its close and until it is settled its status is `settling`, whatever is stored. */
export function toOrder(row: OrderRow, now: number): Order {
  const isSettling = !isFinal(row.status) && now >= row.closeAt
  const entry = toEntryTick(row)
  const exit = toExit(row)
  return {
    id: row.id,
    no: row.no,
    key: row.key,
    productId: row.productId,
    direction: row.direction,
    amount: formatMoney(minor(row.amount)),
    seconds: row.seconds,
    rateBp: row.rateBp,
    terms: toTerms(row),
    status: isSettling ? 'settling' : row.status,
    acceptedAt: epochMs(row.acceptedAt),
    closeAt: epochMs(row.closeAt),
    entry: entry && fillOf(entry, row.priceDecimals),
    exit: exit && wireExitOf(exit, row.priceDecimals),
    settledAt: epochMs(row.settledAt),
    payout: row.payout === null ? null : formatMoney(minor(row.payout)),
    pnl: row.payout === null ? null : formatMoney(minor(row.payout - row.amount)),
    reason: row.reason,
    version: row.version,
  }
}

/** The newest committed head of a product's chain, which the member can save with the order. */
export function currentHead(market: Pick<Market, 'head' | 'watermark'>, productId: string): OrderHead {
  const { seq, hash } = market.head(productId)
  return { seq, hash, at: epochMs(market.watermark(productId)) }
}

/** The terms an order was accepted under. */
export function toTerms(row: OrderRow): Terms {
  const { priceDecimals, rateBp, entryTimeoutMs, maxTickGapMs, source } = row
  const common = { priceDecimals, rateBp, entryTimeoutMs, maxTickGapMs, source }
  if (row.rule === 'R1') return { rule: 'R1', ...common }
  return {
    rule: 'R2',
    ...common,
    entryDelayMs: notNull(row.entryDelayMs),
    exitWindowMs: notNull(row.exitWindowMs),
    exitCutBp: notNull(row.exitCutBp),
    exitMinTicks: notNull(row.exitMinTicks),
  }
}

/** A column that a constraint of the table fills for this rule. */
function notNull(value: number | null): number {
  if (value === null) throw new Error('an order with rule R2 lacks a term')
  return value
}

/** The columns with a settled order's entry and exit. */
export function fillColumns({ entry, exit }: Pick<Settlement, 'entry' | 'exit'>) {
  const mean = exit && isMean(exit) ? exit : null
  const tick = exit && !isMean(exit) ? exit : null
  return {
    entrySeq: entry?.seq ?? null,
    entryAt: entry?.at ?? null,
    entryPrice: entry?.price ?? null,
    exitSeq: tick?.seq ?? null,
    exitAt: tick?.at ?? null,
    exitPrice: tick?.price ?? null,
    exitValue: mean?.value.toString() ?? null,
    exitSum: mean?.sum.toString() ?? null,
    exitTicks: mean?.ticks ?? null,
    exitFrom: mean?.from ?? null,
    exitTo: mean?.to ?? null,
  }
}

function toExit(row: OrderRow): Exit | null {
  const { exitValue, exitSum, exitTicks: ticks, exitFrom: from, exitTo: to } = row
  if (exitValue === null || exitSum === null || ticks === null || from === null || to === null)
    return toTick(row.exitSeq, row.exitAt, row.exitPrice)
  return { value: BigInt(exitValue), sum: BigInt(exitSum), ticks, from, to }
}

/** What the settlement rule needs of an order besides its terms. */
export function toSettleOrder(row: OrderRow): SettleOrder {
  const { direction, amount, acceptedAt, closeAt } = row
  return { direction, amount: minor(amount), acceptedAt, closeAt }
}

export const toEntryTick = (row: OrderRow): SettleTick | null =>
  toTick(row.entrySeq, row.entryAt, row.entryPrice)

function toTick(seq: number | null, at: number | null, price: number | null): SettleTick | null {
  return seq === null || at === null || price === null ? null : { seq, at, price: priceUnits(price) }
}
