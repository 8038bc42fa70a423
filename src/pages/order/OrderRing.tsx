import { useTranslation } from 'react-i18next'
import type { Order } from '../../../streams/index.ts'
import { CountdownRing } from '../../ui/index.ts'
import { durationText } from '../product/duration.ts'
import { useCountdown } from './useLiveOrder.ts'

/** How long an order has left, drawn and spoken. */
export function OrderRing({ order }: { order: Order }) {
  const { t } = useTranslation()
  return (
    <CountdownRing
      totalMs={order.closeAt - order.acceptedAt}
      bind={useCountdown(order)}
      label={t('order.timeLeft')}
      settlingLabel={t('order.settling')}
      announcement={(seconds) => `${t('order.timeLeft')}: ${durationText(t, seconds)}`}
    />
  )
}
