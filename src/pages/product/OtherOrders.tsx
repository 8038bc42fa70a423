import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Order } from '../../../streams/index.ts'
import { NextEnd } from '../../features/orders/NextEnd.tsx'
import { OpenPnl } from '../../features/orders/OpenPnl.tsx'
import { useHasBeen } from '../../hooks/useHasBeen.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Icon } from '../../ui/index.ts'
import styles from './OtherOrders.module.css'

/**
 * The member's open orders on other products; undefined as long as there was none. Once there was one the list stays, empty
 * or not, so that nothing moves when the last one ends. The page must be keyed by the product.
 */
export function useOtherOrders(productId: string): readonly Order[] | undefined {
  const { orders } = useStreams()
  const open = valueOf(useLoadable(orders.open$))
  const others = useMemo(() => open?.filter((order) => order.productId !== productId), [open, productId])
  const isShown = useHasBeen(others !== undefined && others.length > 0)
  return isShown ? others : undefined
}

type OtherOrdersProps = { orders: readonly Order[]; short?: boolean; empty: string }

/**
 * Open orders on other products in one line, which leads to them: how many, when the next one ends, and their P&L if they
 * ended now. `short`: beside a heading; `empty`: what the link says once all have ended.
 */
export function OtherOrders({ orders, short = false, empty }: OtherOrdersProps) {
  const { t } = useTranslation()
  const count = orders.length
  return (
    <a
      className={styles.line}
      data-short={short || undefined}
      href={hrefTo(paths.orders, { tab: 'positions' })}
    >
      {count === 0 ? (
        <span className={styles.what}>{empty}</span>
      ) : (
        <>
          <span className={styles.what}>
            {short ? t('product.elsewhere', { n: count }) : t('product.onOthers', { count })}
          </span>
          <span className={styles.time}>
            {!short && <span className={styles.next}>{t('product.nextEnds')} </span>}
            <NextEnd orders={orders} />
          </span>
          <OpenPnl orders={orders} className={styles.pnl} />
        </>
      )}
      <Icon name="caret-right" size={16} className={styles.caret} />
    </a>
  )
}
