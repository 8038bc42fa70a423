import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../streams/index.ts'
import { failureText } from '../../api/failureText.ts'
import { isUnreached } from '../../api/result.ts'
import { useAway } from '../../hooks/useAway.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Button, EmptyState, ErrorState } from '../../ui/index.ts'
import type { OrderFilters, OrderTab } from './list.ts'
import { More, OrderList, OrderListSkeleton } from './OrderList.tsx'
import { useKeptOrders } from './useKeptOrders.ts'
import { useOrders } from './useOrders.ts'

export type ClosedProps = {
  tab: OrderTab
  filters: OrderFilters
  filtered: boolean
  codeOf: (productId: string) => string
  onClear: () => void
}

const offlineFailure: Failure = { kind: 'offline' }

/** Records or closed orders, page by page; without the venue, as far as this device has seen them. */
export function Closed({ tab, filters, filtered, codeOf, onClear }: ClosedProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { orders, cursor, loading, failure, more, retry } = useOrders(tab, filters)
  const away = useAway()
  const kept = useKeptOrders(tab, filters, cursor === undefined && (away || isUnreached(failure)))
  const nothing = <Nothing tab={tab} filtered={filtered} onClear={onClear} />
  if (kept?.state === 'kept') {
    return kept.value.length === 0 ? nothing : <OrderList orders={kept.value} codeOf={codeOf} tab={tab} />
  }
  if (orders.length === 0) {
    if (kept?.state === 'reading') return <OrderListSkeleton details />
    const told = failure ?? (kept?.state === 'none' ? offlineFailure : undefined)
    if (told !== undefined) {
      return (
        <ErrorState title={t('orders.failed')} retryLabel={t('common.retry')} onRetry={retry} busy={loading}>
          {failureText(t, format, told)}
        </ErrorState>
      )
    }
    return loading ? <OrderListSkeleton details /> : nothing
  }
  return (
    <>
      <OrderList orders={orders} codeOf={codeOf} tab={tab} />
      {typeof cursor === 'string' && <More onMore={more} busy={loading} failed={failure !== undefined} />}
    </>
  )
}

/** One sentence and one action, by what is empty and why. */
export function Nothing({
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
