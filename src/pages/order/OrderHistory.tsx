import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../streams/index.ts'
import { isUnreachable } from '../../api/result.ts'
import { useVenueUnreachable } from '../../hooks/useVenueUnreachable.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Button, EmptyState } from '../../ui/index.ts'
import type { OrderFilters, OrderTab } from '../../features/orders/list.ts'
import { LoadMore } from '../../features/lists/LoadMore.tsx'
import { OrderListSkeleton, OrderTable } from '../../features/orders/OrderList.tsx'
import { DeniedOrders } from './DeniedOrders.tsx'
import { useOfflineOrders } from './useOfflineOrders.ts'
import { useSignedOrders } from './useSignedOrders.ts'
import { useOrders } from '../../features/orders/useOrders.ts'
import { Loaded } from '../../shell/Loaded.tsx'
import { itemsOf } from '../../hooks/useListState.ts'

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
  const list = useOrders(tab, filters)
  const { items: orders, cursor, loading, failure, more, retry } = list
  const venueUnreachable = useVenueUnreachable()
  const offlineCopy = useOfflineOrders(
    tab,
    filters,
    cursor === undefined && (venueUnreachable || isUnreachable(failure)),
  )
  const { changed, missing } = useSignedOrders(orders, !filtered && tab === 'records' ? cursor : undefined)
  const emptyState = <NoOrders tab={tab} filtered={filtered} onClear={onClear} />
  if (offlineCopy?.state === 'found') {
    return offlineCopy.value.length === 0 ? (
      emptyState
    ) : (
      <OrderTable orders={offlineCopy.value} codeOf={codeOf} tab={tab} isPartial />
    )
  }
  if (orders.length === 0 && offlineCopy?.state === 'reading') return <OrderListSkeleton details />
  return (
    <Loaded
      of={itemsOf({
        ...list,
        failure: failure ?? (offlineCopy?.state === 'none' ? offlineFailure : undefined),
      })}
      failed={t('orders.failed')}
      retry={retry}
      busy={loading}
      skeleton={<OrderListSkeleton details />}
    >
      {(items) => (
        <>
          <DeniedOrders missing={missing} />
          {items.length === 0 ? (
            emptyState
          ) : (
            <OrderTable
              orders={items}
              codeOf={codeOf}
              tab={tab}
              isPartial={typeof cursor === 'string'}
              changed={changed}
            />
          )}
          {items.length > 0 && typeof cursor === 'string' && (
            <LoadMore onMore={more} busy={loading} failed={failure !== undefined} />
          )}
        </>
      )}
    </Loaded>
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
