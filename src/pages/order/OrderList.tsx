import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { businessDay } from '../../../contract/time.ts'
import type { Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useZone } from '../../hooks/useZone.ts'
import { Button, cx } from '../../ui/index.ts'
import { byDay } from './list.ts'
import { useToday } from '../../hooks/useDays.ts'
import styles from './OrderList.module.css'
import { OrderRow } from './OrderRow.tsx'
import { OrderRowSkeleton } from './OrderRowSkeleton.tsx'

export type OrderListProps = {
  orders: readonly Order[]
  /** A product's code by its id. */
  codeOf: (productId: string) => string
  /** Under the heads of days; open positions stand without. */
  days: boolean
  /** All of them run: each has a ring. */
  rings?: boolean
}

/** Orders under the days they were placed on. */
export function OrderList({ orders, codeOf, days, rings = false }: OrderListProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const zone = useZone()
  const dayOf = (at: number) => businessDay(at, zone)
  const today = useToday()
  const groups = days ? byDay(orders, dayOf) : [{ day: '', orders }]
  return groups.map((group) => (
    <section key={group.day}>
      {days && (
        <h2 className={styles.head}>
          {group.day === today ? t('orders.today') : format.dayHead(group.orders[0]?.acceptedAt ?? 0)}
        </h2>
      )}
      <ul>
        {group.orders.map((order) => (
          <li key={order.id} className={styles.item}>
            <OrderRow order={order} product={codeOf(order.productId)} ring={rings} />
          </li>
        ))}
      </ul>
    </section>
  ))
}

/** Rows in their final size, while the first page is on its way; `flush` where what is around them keeps the gutter. */
export function OrderListSkeleton({ rows = 6, flush = false }: { rows?: number; flush?: boolean }) {
  const { t } = useTranslation()
  return (
    <output className={styles.waiting} aria-label={t('orders.loading')}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className={cx(styles.item, flush && styles.flush)}>
          <OrderRowSkeleton />
        </span>
      ))}
    </output>
  )
}

/** The next page comes by itself when its place is scrolled into view; the button is for whoever does not scroll. */
export function More({ onMore, busy, failed }: { onMore: () => void; busy: boolean; failed: boolean }) {
  const { t } = useTranslation()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const node = place.current
    if (node === null || failed) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onMore()
      },
      { rootMargin: '400px' },
    )
    observer.observe(node)
    return () => observer.disconnect()
  }, [onMore, failed])
  return (
    <div ref={place} className={styles.more}>
      <Button variant="secondary" size="small" busy={busy} onClick={onMore}>
        {failed ? t('common.retry') : t('orders.loadMore')}
      </Button>
      {failed && <p className={styles.failed}>{t('orders.failedMore')}</p>}
    </div>
  )
}
