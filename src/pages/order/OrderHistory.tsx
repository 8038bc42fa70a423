import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../streams/index.ts'
import { failureText } from '../../api/failureText.ts'
import { isUnreachable } from '../../api/result.ts'
import { useVenueUnreachable } from '../../hooks/useVenueUnreachable.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Button, EmptyState, ErrorState } from '../../ui/index.ts'
import type { OrderFilters, OrderTab } from '../../features/orders/list.ts'
import { LoadMore } from '../../features/lists/LoadMore.tsx'
import { OrderList, OrderListSkeleton } from '../../features/orders/OrderList.tsx'
import { useOfflineOrders } from './useOfflineOrders.ts'
import { useOrders } from '../../features/orders/useOrders.ts'

export type OrderHistoryProps = {
  tab: OrderTab
  filters: OrderFilters
  filtered: boolean
  codeOf: (productId: string) => string
  onClear: () => void
}

const offlineFailure: Failure = { kind: 'offline' }

/** Records or closed orders, page by page; offline, the orders that this device has stored. */
export function OrderHistory({ tab, filters, filtered, codeOf, onClear }: OrderHistoryProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { items: orders, cursor, loading, failure, more, retry } = useOrders(tab, filters)
  const venueUnreachable = useVenueUnreachable()
  const offlineCopy = useOfflineOrders(
    tab,
    filters,
    cursor === undefined && (venueUnreachable || isUnreachable(failure)),
  )
  const emptyState = <NoOrders tab={tab} filtered={filtered} onClear={onClear} />
  if (offlineCopy?.state === 'found') {
    return offlineCopy.value.length === 0 ? (
      emptyState
    ) : (
      <OrderList orders={offlineCopy.value} codeOf={codeOf} tab={tab} />
    )
  }
  if (orders.length === 0) {
    if (offlineCopy?.state === 'reading') return <OrderListSkeleton details />
    const shownFailure = failure ?? (offlineCopy?.state === 'none' ? offlineFailure : undefined)
    if (shownFailure !== undefined) {
      return (
        <ErrorState title={t('orders.failed')} retryLabel={t('common.retry')} onRetry={retry} busy={loading}>
          {failureText(t, format, shownFailure)}
        </ErrorState>
      )
    }
    return loading ? <OrderListSkeleton details /> : emptyState
  }
  return (
    <>
      <OrderList orders={orders} codeOf={codeOf} tab={tab} />
      {typeof cursor === 'string' && <LoadMore onMore={more} busy={loading} failed={failure !== undefined} />}
    </>
  )
}

/** The empty state of a tab, with an action that fits the reason. */
export function NoOrders({
  tab,
  filtered,
  onClear,
}: {
  tab: OrderTab
  filtered: boolean
  onClear?: () => void
}) {
  const { t } = useTranslation()
  if (filtered && onClear !== undefined) {
    return (
      <EmptyState
        title={t('orders.noneFiltered')}
        action={
          <Button variant="secondary" onClick={onClear}>
            {t('orders.clearFilters')}
          </Button>
        }
      >
        {t('orders.noneFilteredText')}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={t(`orders.none.${tab}`)}
      action={
        <Button variant="secondary" href={hrefTo(paths.products)}>
          {t('orders.seeProducts')}
        </Button>
      }
    >
      {t(`orders.noneText.${tab}`)}
    </EmptyState>
  )
}
