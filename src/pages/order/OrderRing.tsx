import { useTranslation } from 'react-i18next'
import type { Order } from '../../../streams/index.ts'
import { Ring } from '../../ui/index.ts'
import { durationText } from '../product/duration.ts'
import { useRing } from './useLive.ts'

/** How long an order has left, drawn and spoken. */
export function OrderRing({ order }: { order: Order }) {
  const { t } = useTranslation()
  return (
    <Ring
      totalMs={order.closeAt - order.acceptedAt}
      bind={useRing(order)}
      label={t('order.timeLeft')}
      settlingLabel={t('order.settling')}
      spoken={(seconds) => `${t('order.timeLeft')}: ${durationText(t, seconds)}`}
    />
  )
}
