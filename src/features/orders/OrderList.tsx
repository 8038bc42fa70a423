import { useTranslation } from 'react-i18next'
import { businessDay } from '../../../contract/time.ts'
import type { Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueZone } from '../../hooks/useVenue.ts'
import { cx } from '../../ui/index.ts'
import type { KeptReceipt } from '../../proof/keptReceipt.ts'
import { PracticeBadge } from '../account/PracticeBadge.tsx'
import { groupByDay } from '../lists/groupByDay.ts'
import { SortedNote } from '../lists/SortedNote.tsx'
import { useSorting } from '../lists/sorting.ts'
import { TimeZoneNote } from '../lists/TimeZoneNote.tsx'
import { listedAt, type OrderTab } from './list.ts'
import { useToday } from '../../hooks/useDays.ts'
import styles from './OrderList.module.css'
import { useOrderColumns } from './orderColumns.ts'
import { OrderHeads, OrderRow, type OrderRowProps } from './OrderRow.tsx'
import { OrderRowSkeleton } from './OrderRowSkeleton.tsx'

export type OrderListProps = {
  orders: readonly Order[]
  /** A product's code by its id. */
  codeOf: (productId: string) => string
  /** All orders are open: each has a ring. */
  rings?: boolean
}

/** A short list of order rows in another page. */
export const OrderList = ({ orders, codeOf, rings = false }: OrderListProps) => (
  <Rows orders={orders} rowOf={(order) => ({ order, product: codeOf(order.productId), ring: rings })} />
)

export type OrderTableProps = Omit<OrderListProps, 'rings'> & {
  tab: OrderTab
  /** The venue has more. */
  isPartial: boolean
  /** The receipts of those that are not what their receipt states, by the order's id. */
  changed?: ReadonlyMap<string, KeptReceipt>
}

/**
 * Orders by day, newest first, with each order's number and holding time; in a wide list with heads by which it can be
 * sorted. The first heading has the zone of the times and the practice badge; positions have the badge in their summary.
 */
export function OrderTable({ orders, codeOf, tab, isPartial, changed }: OrderTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const zone = useVenueZone()
  const today = useToday()
  const { shown, isByTime, ...sorting } = useSorting(orders, useOrderColumns(codeOf))
  const groups = isByTime
    ? groupByDay(shown, (order) => businessDay(listedAt(order, tab), zone))
    : [{ day: '', items: shown }]
  return (
    <>
      <div className={styles.item}>
        <OrderHeads tab={tab} head={sorting.head} />
      </div>
      <SortedNote {...sorting} isPartial={isPartial} />
      {groups.map((group, index) => (
        <section key={group.day}>
          <div className={styles.head}>
            {isByTime && group.items[0] !== undefined && (
              <h2 className={styles.name}>
                {group.day === today ? t('orders.today') : format.dayHead(listedAt(group.items[0], tab))}
              </h2>
            )}
            {index === 0 && <TimeZoneNote />}
            {index === 0 && tab !== 'positions' && <PracticeBadge />}
          </div>
          <Rows
            orders={group.items}
            rowOf={(order) => ({
              order,
              product: codeOf(order.productId),
              ring: false,
              tab,
              dated: !isByTime,
              changed: changed?.get(order.id),
            })}
          />
        </section>
      ))}
    </>
  )
}

function Rows({ orders, rowOf }: { orders: readonly Order[]; rowOf: (order: Order) => OrderRowProps }) {
  return (
    <ul>
      {orders.map((order) => (
        <li key={order.id} className={styles.item}>
          <OrderRow {...rowOf(order)} />
        </li>
      ))}
    </ul>
  )
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
