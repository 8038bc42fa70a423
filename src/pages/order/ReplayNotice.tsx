import { useTranslation } from 'react-i18next'
import type { Order } from '../../../streams/index.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Icon } from '../../ui/index.ts'
import { replayDay } from '../../features/market/source.ts'
import styles from './ReplayNotice.module.css'
import { useProduct } from './useProduct.ts'

/** A notice that an order's prices were replayed, and so were publicly known. */
export function ReplayNotice({ order }: { order: Order }) {
  const { t } = useTranslation()
  const format = useFormat()
  const config = useVenueConfig()
  const product = useProduct(order.productId)
  if (config?.feed !== 'replay') return null
  const day = product && replayDay(product.source)
  return (
    <p className={styles.note}>
      <Icon name="clock-counter-clockwise" size={16} />
      {day === undefined
        ? t('order.replayAny')
        : t('order.replay', { date: format.date(Date.parse(`${day}T12:00:00Z`)) })}
    </p>
  )
}
