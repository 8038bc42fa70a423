import type { TFunction } from 'i18next'
import type { Order } from '../../../streams/index.ts'
import type { Format } from '../../format.ts'
import { noValue } from '../../format.ts'

/** An order's status or result, with the reason of a refund. */
export function resultText(t: TFunction, { status, reason }: Pick<Order, 'status' | 'reason'>): string {
  if (status === 'refunded' && reason !== null) {
    return t('order.refundedWhy', { reason: t(`order.reason.${reason}`) })
  }
  return t(`order.status.${status}`)
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
