import type { TFunction } from 'i18next'
import { minor, type EpochMs } from '../../../contract/units.ts'
import { moneyOf } from '../../../contract/money.ts'
import type { SignedField } from '../../../contract/receipt.ts'
import type { Order } from '../../../streams/index.ts'
import { noValue, type Format } from '../../text/format.ts'

/** An order's status or result, with the reason of a refund. */
export function resultText(t: TFunction, { status, reason }: Pick<Order, 'status' | 'reason'>): string {
  if (status === 'refunded' && reason !== null) {
    return t('order.refundedWhy', { reason: t(`order.reason.${reason}`) })
  }
  return t(`order.status.${status}`)
}

/** A result and its sum, which has no sign because the word has it; without a sum if nothing was won or lost. */
export function outcomeText(
  t: TFunction,
  format: Format,
  order: Pick<Order, 'status' | 'reason' | 'pnl'>,
): string {
  const result = resultText(t, order)
  const pnl = order.pnl === null ? 0 : moneyOf(order.pnl)
  return pnl === 0 ? result : `${result} ${format.money(minor(Math.abs(pnl)))}`
}

/** Entry → exit. */
export function pricesText(format: Format, order: Pick<Order, 'entry' | 'exit' | 'terms'>): string {
  return `${priceText(format, order, 'entry')} → ${priceText(format, order, 'exit')}`
}

/** The price of a fill; the mean of an averaged exit has one decimal more. */
export const priceText = (
  format: Format,
  order: Pick<Order, 'entry' | 'exit' | 'terms'>,
  side: 'entry' | 'exit',
): string => {
  const fill = order[side]
  if (fill === null) return noValue
  return format.price('value' in fill ? fill.value : fill.price, order.terms.priceDecimals)
}

/** When an order closed: a refund may come before its close, and a settlement a moment or, after a downtime, long after it. */
export const closedAt = ({ settledAt, closeAt }: Pick<Order, 'settledAt' | 'closeAt'>): EpochMs =>
  settledAt !== null && settledAt < closeAt ? settledAt : closeAt

const fieldLabels = {
  no: 'order.number',
  productId: 'orders.product',
  direction: 'orders.direction',
  amount: 'order.amount',
  seconds: 'order.held',
  rateBp: 'order.rate',
  terms: 'order.terms',
  acceptedAt: 'order.accepted',
  closeAt: 'order.closes',
} as const satisfies Record<SignedField, string>

/** Fields of an order by the words that the screen has for them. */
export const fieldsText = (t: TFunction, format: Format, fields: readonly SignedField[]): string =>
  format.list(fields.map((name) => t(fieldLabels[name])))
