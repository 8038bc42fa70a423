import { useTranslation } from 'react-i18next'
import type { Order } from '../../../streams/index.ts'
import { TimeLeft } from './TimeLeft.tsx'

/** The time until the first of some open orders ends; there must be one. */
export function NextEnd({ orders }: { orders: readonly Order[] }) {
  const { t } = useTranslation()
  const next = orders.reduce((first, order) => (order.closeAt < first.closeAt ? order : first))
  return next.status === 'settling' ? t('order.settling') : <TimeLeft key={next.id} order={next} />
}
