import { minor, priceUnits, epochMs } from '../../contract/brand.ts'
import { formatMoney } from '../../contract/money.ts'
import { isFinal } from '../../contract/orders.ts'
import type { Order, OrderHead } from '../../contract/orders.ts'
import { formatPrice } from '../../contract/price.ts'
import type { SettleOrder, SettleTick, Terms } from '../../contract/settle.ts'
import type { OrderRow } from '../db/schema/order.ts'
import type { Market } from '../ports.ts'

/** An order in the wire format. After its close and until it is settled its status is `settling`, whatever is stored. */
export function toOrder(row: OrderRow, now: number): Order {
  const isSettling = !isFinal(row.status) && now >= row.closeAt
  const toFill = (tick: SettleTick | null): Order['entry'] =>
    tick && {
      seq: tick.seq,
      at: epochMs(tick.at),
      price: formatPrice(priceUnits(tick.price), row.priceDecimals),
    }
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
    entry: toFill(toEntryTick(row)),
    exit: toFill(toTick(row.exitSeq, row.exitAt, row.exitPrice)),
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
  const { rule, priceDecimals, rateBp, entryTimeoutMs, maxTickGapMs, source } = row
  return { rule, priceDecimals, rateBp, entryTimeoutMs, maxTickGapMs, source }
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
