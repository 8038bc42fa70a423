import type { EndedOrder, Order, ProductDetail } from '../../../../streams/index.ts'
import { LiveChange } from '../../../features/market/LiveChange.tsx'
import { LivePrice } from '../../../features/market/LivePrice.tsx'
import { LivePnlColumn } from '../../../features/orders/LivePnlColumn.tsx'
import { OrderRing } from '../../../features/orders/OrderRing.tsx'
import { DirectionTile } from '../../../ui/index.ts'
import { ResultLine } from '../ResultLine.tsx'
import styles from './FullScreen.module.css'

export type FullScreenHeadProps = {
  product: ProductDetail
  /** The member's open orders on the product, newest first. */
  orders: readonly Order[]
  newest: readonly EndedOrder[]
}

/** Above the chart that fills the screen: the product and its price, and the order that runs, how the last one ended. */
export function FullScreenHead({ product, orders, newest }: FullScreenHeadProps) {
  const [order, ...others] = orders
  return (
    <header className={styles.head}>
      <div className={styles.product}>
        <span className={styles.code}>
          {product.code}{' '}
          <span className={styles.change}>
            <LiveChange product={product} />
          </span>
        </span>
        <LivePrice id={product.id} last={product.last} className={styles.price} />
      </div>
      <ResultLine newest={newest} />
      {order !== undefined && (
        <div key={order.id} className={styles.order}>
          {others.length > 0 && <span className={styles.others}>+{others.length}</span>}
          <DirectionTile direction={order.direction} />
          <LivePnlColumn order={order} />
          <OrderRing order={order} />
        </div>
      )}
    </header>
  )
}
