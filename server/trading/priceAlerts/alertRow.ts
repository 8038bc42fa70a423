import { epochMs, priceUnits } from '../../../contract/units.ts'
import { formatPrice } from '../../../contract/price.ts'
import type { PriceAlert } from '../../../contract/priceAlerts.ts'
import type { PushPayload } from '../../../contract/push.ts'
import type { MessageDraft } from '../../notices/index.ts'
import type { WaitingAlert } from './alertJudge.ts'

/** An alert in the wire format, at the scale of its product. */
export function toPriceAlert(
  { id, productId, kind, price, priceDecimals, createdAt }: WaitingAlert,
  status: PriceAlert['status'] = 'waiting',
): PriceAlert {
  return {
    id,
    productId,
    kind,
    price: formatPrice(priceUnits(price), priceDecimals),
    createdAt: epochMs(createdAt),
    status,
    version: status === 'waiting' ? 1 : 2,
  }
}

/** The message to a member whose alert is reached. */
export function toAlertMessage(alert: WaitingAlert): MessageDraft {
  const { productId, kind, price } = toPriceAlert(alert)
  const link = `pages/Detail/Detail?id=${productId}` as const
  return { memberId: alert.memberId, key: 'priceAlert', params: { productId, condition: kind, price }, link }
}

/** The notification on a device of the member: the alert and nothing else. */
export function toPushPayload(alert: WaitingAlert, code = alert.productId): PushPayload {
  const { kind, productId, price } = toPriceAlert(alert)
  return { kind, productId, code, price }
}
