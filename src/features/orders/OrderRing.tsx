import { useTranslation } from 'react-i18next'
import type { Order } from '../../../streams/index.ts'
import { CountdownRing } from '../../ui/index.ts'
import { durationText } from './duration.ts'
import { useCountdown } from './useLiveOrder.ts'

/** An order's time left, as a ring and for screen readers. */
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
