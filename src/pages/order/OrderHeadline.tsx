import { useTranslation } from 'react-i18next'
import { isFinal } from '../../../contract/orders.ts'
import type { Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { DirectionTile } from '../../ui/index.ts'
import styles from './OrderHeadline.module.css'
import { useProduct } from './useProduct.ts'
import { closedAt, resultText } from '../../features/orders/orderLabels.ts'

/** Product, direction and amount; the status and its time. Links to the product. */
export function OrderHeadline({ order }: { order: Order }) {
  const { t } = useTranslation()
  const format = useFormat()
  const product = useProduct(order.productId)
  const final = isFinal(order.status)
  const time = format.dateTime(closedAt(order))
  const direction = t(order.direction === 'up' ? 'order.upInline' : 'order.downInline')
  const name = product?.code ?? order.productId
  return (
    <a className={styles.story} href={hrefTo(paths.product, { id: order.productId })}>
      <DirectionTile direction={order.direction} />
      <span className={styles.text}>
        <span className={styles.what}>
          {t('order.story', { product: name, direction, amount: format.money(order.amount) })}
        </span>
        <span className={styles.when}>
          {t(final ? 'order.closedAt' : 'order.opensNow', { status: resultText(t, order), time })}
        </span>
      </span>
    </a>
  )
}
