import type { ReactNode } from 'react'
import type { Order } from '../../../streams/index.ts'
import { OrderDetails } from './OrderDetails.tsx'
import styles from './OrderPage.module.css'
import { ReplayNotice } from './ReplayNotice.tsx'
import { OrderHeadline } from './OrderHeadline.tsx'
import { SignedNotice } from './SignedNotice.tsx'

export type OrderLayoutProps = {
  order: Order
  /** The page's large number. */
  result: ReactNode
  chart: ReactNode
  /** The proof, or its placeholder. */
  children: ReactNode
}

/** The layout of every order's page: one column on a phone, the chart beside the details on wide screens. */
export function OrderLayout({ order, result, chart, children }: OrderLayoutProps) {
  return (
    <div className={styles.columns}>
      <div className={styles.picture}>
        <OrderHeadline order={order} />
        {result}
        <div className={styles.chart}>{chart}</div>
      </div>
      <div className={styles.facts}>
        <SignedNotice order={order} />
        <OrderDetails order={order} />
        <ReplayNotice order={order} />
        {children}
      </div>
    </div>
  )
}
