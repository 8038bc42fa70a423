import { useTranslation } from 'react-i18next'
import { businessDay } from '../../../contract/time.ts'
import type { Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueZone } from '../../hooks/useVenue.ts'
import { cx } from '../../ui/index.ts'
import { PracticeBadge } from '../account/PracticeBadge.tsx'
import { groupByDay } from '../lists/groupByDay.ts'
import { TimeZoneNote } from '../lists/TimeZoneNote.tsx'
import { listedAt } from './list.ts'
import type { OrderTab } from './list.ts'
import { useToday } from '../../hooks/useDays.ts'
import styles from './OrderList.module.css'
import { OrderRow } from './OrderRow.tsx'
import { OrderRowSkeleton } from './OrderRowSkeleton.tsx'

export type OrderListProps = {
  orders: readonly Order[]
  /** A product's code by its id. */
  codeOf: (productId: string) => string
  /**
   * Groups the orders by day, and shows each order's number and holding time. The first day's heading has the zone of
   * the times and the practice badge; positions have the badge in their summary. Left out for a short list in another page.
   */
  tab?: OrderTab
  /** All orders are open: each has a ring. */
  rings?: boolean
}

/** A list of order rows. */
export function OrderList({ orders, codeOf, tab, rings = false }: OrderListProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const zone = useVenueZone()
  const today = useToday()
  const groups =
    tab === undefined
      ? [{ day: '', items: orders }]
      : groupByDay(orders, (order) => businessDay(listedAt(order, tab), zone))
  return groups.map((group, index) => (
    <section key={group.day}>
      {tab !== undefined && group.items[0] !== undefined && (
        <div className={styles.head}>
          <h2 className={styles.name}>
            {group.day === today ? t('orders.today') : format.dayHead(listedAt(group.items[0], tab))}
          </h2>
          {index === 0 && <TimeZoneNote />}
          {index === 0 && tab !== 'positions' && <PracticeBadge />}
        </div>
      )}
      <ul>
        {group.items.map((order) => (
          <li key={order.id} className={styles.item}>
            <OrderRow order={order} product={codeOf(order.productId)} ring={rings} tab={tab} />
          </li>
        ))}
      </ul>
    </section>
  ))
}

type SkeletonProps = { rows?: number; withoutGutter?: boolean; details?: boolean }

/** Rows in their final size, while the first page loads. `withoutGutter` if the parent has the gutter. */
export function OrderListSkeleton({ rows = 6, withoutGutter = false, details = false }: SkeletonProps) {
  const { t } = useTranslation()
  return (
    <output className={styles.waiting} aria-label={t('orders.loading')}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className={cx(styles.item, withoutGutter && styles.flush)}>
          <OrderRowSkeleton details={details} />
        </span>
      ))}
    </output>
  )
}
