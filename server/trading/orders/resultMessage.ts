import { minor } from '../../../contract/units.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { OrderRow } from '../schema.ts'
import type { MessageDraft } from '../../notices/index.ts'

/** The message to a member about a final order. */
export function toResultMessage({
  id,
  no,
  memberId,
  productId,
  amount,
  status,
  payout,
  reason,
}: OrderRow): MessageDraft {
  const link = `pages/order/detail?id=${id}` as const
  if (status === 'refunded') {
    const params = { no, productId, amount: formatMoney(minor(amount)), reason: reason ?? '' }
    return { memberId, key: 'orderRefunded', params, link }
  }
  const pnl = formatMoney(minor((payout ?? 0) - amount))
  return { memberId, key: 'orderSettled', params: { no, productId, status, pnl }, link }
}
