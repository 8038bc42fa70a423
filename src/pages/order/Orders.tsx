import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { orderRoutes } from '../../../contract/orders.ts'
import type { Product } from '../../../streams/index.ts'
import { useCatalog } from '../../hooks/useCatalog.ts'
import { useZone } from '../../hooks/useZone.ts'
import { useQuery } from '../../router/useQuery.ts'
import { paths } from '../../paths.ts'
import { FileLink } from '../../shell/FileLink.tsx'
import { Page } from '../../shell/Page.tsx'
import { Tabs } from '../../ui/index.ts'
import { Closed } from './Closed.tsx'
import { filterQueryOf, filtersOf, isFiltered, tabOf } from './filters.ts'
import { Filters } from './Filters.tsx'
import { orderTabs } from './list.ts'
import { Open } from './Open.tsx'
import { queryOf } from './useOrders.ts'
import { useToday } from '../../hooks/useDays.ts'

const none: readonly Product[] = []

/** Orders in three tabs: `#/pages/order/order?tab=records|positions|closed`, filters in the address too. */
export function Orders() {
  const { t } = useTranslation()
  const [query, setQuery] = useQuery()
  const zone = useZone()
  const products = useCatalog() ?? none
  const codes = useMemo(() => new Map(products.map(({ id, code }) => [id, code])), [products])
  const codeOf = useCallback((id: string) => codes.get(id) ?? id, [codes])
  const tab = tabOf(query)
  const asked = filterQueryOf(query)
  const today = useToday()
  const { product, direction, result, span } = asked
  const dayed = span === '' ? undefined : today
  const filters = useMemo(
    () => filtersOf({ product, direction, result, span }, dayed, zone),
    [product, direction, result, span, dayed, zone],
  )
  return (
    <Page
      ground="market"
      title={t('orders.title')}
      backTo={paths.home}
      width="wide"
      refresh="bar"
      live={tab === 'positions'}
      actions={
        <FileLink
          route={orderRoutes.ordersCsv}
          query={{ tab, ...queryOf(filters) }}
          name="orders.csv"
          label={t('orders.csv')}
        />
      }
    >
      <Tabs
        label={t('orders.tabs')}
        items={orderTabs.map((value) => ({ value, label: t(`orders.${value}`) }))}
        value={tab}
        onChange={(next) => setQuery({ tab: next, ...(next === 'positions' ? { result: undefined } : {}) })}
      >
        {tab === 'positions' ? (
          <Open codeOf={codeOf} />
        ) : (
          <>
            <Filters tab={tab} query={asked} products={products} onQuery={setQuery} />
            <Closed
              key={[tab, product, direction, result, span, dayed].join(' ')}
              tab={tab}
              filters={filters}
              filtered={isFiltered(asked)}
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
