import type { ReactNode } from 'react'
import type { Order } from '../../../streams/index.ts'
import { Facts } from './Facts.tsx'
import styles from './OrderPage.module.css'
import { Replay } from './Replay.tsx'
import { Story } from './Story.tsx'

export type OrderColumnsProps = {
  order: Order
  /** The page's one large figure. */
  result: ReactNode
  chart: ReactNode
  /** The proof, or what stands in its place. */
  children: ReactNode
}

/** What every order's page holds: one column on a phone, the picture beside the facts where there is room. */
export function OrderColumns({ order, result, chart, children }: OrderColumnsProps) {
  return (
    <div className={styles.columns}>
      <div className={styles.picture}>
        <Story order={order} />
        {result}
        <div className={styles.chart}>{chart}</div>
      </div>
      <div className={styles.facts}>
        <Facts order={order} />
        <Replay order={order} />
        {children}
      </div>
    </div>
  )
}
