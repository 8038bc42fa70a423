import { useCallback, useDeferredValue, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { orderRoutes } from '../../../contract/orders.ts'
import type { Product } from '../../../streams/index.ts'
import { useCatalog } from '../../hooks/useCatalog.ts'
import { useVenueZone } from '../../hooks/useVenue.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { useQuery } from '../../router/useQuery.ts'
import { paths } from '../../paths.ts'
import { DownloadButton } from '../../shell/DownloadButton.tsx'
import { Page } from '../../shell/Page.tsx'
import { IconButton, Tabs } from '../../ui/index.ts'
import { OrderHistory } from './OrderHistory.tsx'
import { filterQueryOf, filtersOf, isFiltered, tabOf } from './filters.ts'
import { OrderFilterBar } from './OrderFilterBar.tsx'
import { orderTabs } from '../../features/orders/list.ts'
import { OpenOrders } from './OpenOrders.tsx'
import { orderQueryOf } from '../../features/orders/useOrders.ts'
import { useToday } from '../../hooks/useDays.ts'

const noProducts: readonly Product[] = []

/** Orders in three tabs: `#/pages/order/order?tab=records|positions|closed`, with the filters in the address. */
export function Orders() {
  const { t } = useTranslation()
  const [newestQuery, setQuery] = useQuery()
  // The tapped tab is marked in the tap's own frame, which does not wait for the list.
  const query = useDeferredValue(newestQuery)
  const zone = useVenueZone()
  const products = useCatalog() ?? noProducts
  const codes = useMemo(() => new Map(products.map(({ id, code }) => [id, code])), [products])
  const codeOf = useCallback((id: string) => codes.get(id) ?? id, [codes])
  const tab = tabOf(query)
  const filterQuery = filterQueryOf(query)
  const today = useToday()
  const { product, direction, result, span } = filterQuery
  const filterDay = span === '' ? undefined : today
  const filters = useMemo(
    () => filtersOf({ product, direction, result, span }, filterDay, zone),
    [product, direction, result, span, filterDay, zone],
  )
  return (
    <Page
      ground="market"
      title={t('orders.title')}
      backTo={paths.home}
      width="wide"
      refresh="bar"
      receives={tab === 'positions' ? 'prices' : undefined}
      actions={
        <>
          <IconButton icon="chart-bar" label={t('title.results')} href={hrefTo(paths.results)} />
          <DownloadButton
            route={orderRoutes.ordersCsv}
            query={{ tab, ...orderQueryOf(filters) }}
            name="orders.csv"
            label={t('orders.csv')}
          />
        </>
      }
    >
      <Tabs
        label={t('orders.tabs')}
        items={orderTabs.map((value) => ({ value, label: t(`orders.${value}`) }))}
        value={tabOf(newestQuery)}
        onChange={(next) => setQuery({ tab: next, ...(next === 'positions' ? { result: undefined } : {}) })}
      >
        {tab === 'positions' ? (
          <OpenOrders codeOf={codeOf} />
        ) : (
          <>
            <OrderFilterBar tab={tab} query={filterQuery} products={products} onQuery={setQuery} />
            <OrderHistory
              key={[tab, product, direction, result, span, filterDay].join(' ')}
              tab={tab}
              filters={filters}
              filtered={isFiltered(filterQuery)}
              codeOf={codeOf}
              onClear={() =>
                setQuery({ product: undefined, direction: undefined, result: undefined, date: undefined })
              }
            />
          </>
        )}
      </Tabs>
    </Page>
  )
}
