import { useTranslation } from 'react-i18next'
import { useMedia, wideMedia } from '../../hooks/useMedia.ts'
import { useLoadable } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { useLiveOrOffline } from '../../shell/useLiveOrOffline.ts'
import { TextLink } from '../../ui/index.ts'
import { NoOrders } from './OrderHistory.tsx'
import styles from './OpenOrders.module.css'
import { OrderList, OrderListSkeleton } from '../../features/orders/OrderList.tsx'
import { OpenOrdersSummary } from './OpenOrdersSummary.tsx'
import { useOfflineOrdersReader } from './useOfflineOrders.ts'
import { useOrders } from '../../features/orders/useOrders.ts'
import { Loaded } from '../../shell/Loaded.tsx'

type CodeOf = (productId: string) => string
const noFilters = {}
/** The number that fits below the positions without dominating the page. */
const recentMax = 6

/** Open positions, live; on wide screens the recently closed orders follow. */
export function OpenOrders({ codeOf }: { codeOf: CodeOf }) {
  const { t } = useTranslation()
  const { orders, refresh } = useStreams()
  const wide = useMedia(wideMedia)
  const loadable = useLiveOrOffline(useLoadable(orders.open$), useOfflineOrdersReader('positions', noFilters))
  return (
    <Loaded
      of={loadable}
      failed={t('orders.failed')}
      retry={refresh}
      skeleton={<OrderListSkeleton rows={3} />}
    >
      {(open) => (
        <div className={styles.open}>
          {open.length === 0 ? (
            <NoOrders tab="positions" filtered={false} />
          ) : (
            <>
              <OpenOrdersSummary open={open} />
              <OrderList orders={open} codeOf={codeOf} rings />
            </>
          )}
          {wide && <RecentlyClosedOrders codeOf={codeOf} />}
          {open.length > 0 && <p className={styles.clock}>{t('orders.clock')}</p>}
        </div>
      )}
    </Loaded>
  )
}

function RecentlyClosedOrders({ codeOf }: { codeOf: CodeOf }) {
  const { t } = useTranslation()
  const { items: orders } = useOrders('closed', noFilters)
  if (orders.length === 0) return null
  return (
    <div className={styles.recent}>
      <div className={styles.recentHead}>
        <h2>{t('orders.recentClosed')}</h2>
        <TextLink href={hrefTo(paths.orders, { tab: 'closed' })}>{t('product.viewAll')}</TextLink>
      </div>
      <OrderList orders={orders.slice(0, recentMax)} codeOf={codeOf} />
    </div>
  )
}
