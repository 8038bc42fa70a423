import { useTranslation } from 'react-i18next'
import { categories } from '../../../contract/products.ts'
import type { Category } from '../../../contract/products.ts'
import { failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLoadable } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { lazyStreams } from '../../lazyStreams.ts'
import { paths } from '../../paths.ts'
import { loadAheadOf } from '../../router/ahead.ts'
import { firstLoaded } from '../../router/firstLoaded.ts'
import { useQuery } from '../../router/useQuery.ts'
import { Page } from '../../shell/Page.tsx'
import { useLiveOrOffline } from '../../shell/useLiveOrOffline.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { preferences, usePreferences } from '../../state/preferences.ts'
import { Button, EmptyState, ErrorState, IconButton, PillSelect, SearchField, Tabs } from '../../ui/index.ts'
import { ProductList, ProductListSkeleton } from '../../features/market/ProductList.tsx'
import { filterProducts } from './search.ts'
import { productSorts, sortOf } from './sort.ts'
import type { ProductSort } from './sort.ts'
import { useProductSearch } from './useProductSearch.ts'
import { useSortedProducts } from './useSortedProducts.ts'
import styles from './Products.module.css'

loadAheadOf(paths.products, async () => {
  if (lazyStreams.value) await firstLoaded(lazyStreams.value.catalog$)
})

type Tab = Category | 'all'
const tabs: readonly Tab[] = ['all', ...categories]

/** All products, with a search, categories and favourites. The view is stored in the address. */
export function Products() {
  const { t } = useTranslation()
  const format = useFormat()
  const { catalog$, refresh } = useStreams()
  const catalog = useLoadable(catalog$)
  const { favourites, denseLists } = usePreferences()
  const [query, setQuery] = useQuery()
  const tab = tabs.find((name) => name === query.get('tab')) ?? 'all'
  const search = query.get('q') ?? ''
  const { ids: foundIds, isSearching } = useProductSearch(search)
  const favouritesOnly = query.get('only') === 'favourites'
  const sort = sortOf(query)
  const { value, isReadingOffline } = useLiveOrOffline(catalog, offlineStore.products)
  const products = useSortedProducts(value, sort)
  const reset = (): void => setQuery({ q: undefined, only: undefined, tab: undefined })

  return (
    <Page root live refresh="bar" ground="market" width="full" title={t('title.products')}>
      <div className={styles.search}>
        <SearchField
          label={t('products.search')}
          clearLabel={t('products.clearSearch')}
          value={search}
          onValue={(text) => setQuery({ q: text === '' ? undefined : text })}
        />
      </div>
      <Tabs
        label={t('products.categories')}
        items={tabs.map((name) => ({ value: name, label: t(`products.category.${name}`) }))}
        value={tab}
        onChange={(name) => setQuery({ tab: name === 'all' ? undefined : name })}
        end={
          <IconButton
            icon={favouritesOnly ? 'star-fill' : 'star'}
            size={20}
            pressed={favouritesOnly}
            className={styles.only}
            label={t('products.favouritesOnly')}
            onClick={() => setQuery({ only: favouritesOnly ? undefined : 'favourites' })}
          />
        }
      >
        <OrderBar sort={sort} onSort={(value) => setQuery({ sort: value === '' ? undefined : value })} />
        {products ? (
          <ProductResults
            products={filterProducts(products, {
              category: tab,
              query: search,
              found: foundIds,
              only: favouritesOnly ? favourites : undefined,
            })}
            favourites={favourites}
            isDense={denseLists}
            search={search}
            isSearching={isSearching}
            favouritesOnly={favouritesOnly}
            onReset={reset}
          />
        ) : catalog.state === 'failed' && !isReadingOffline ? (
          <ErrorState title={t('products.failed')} retryLabel={t('common.retry')} onRetry={refresh}>
            {failureText(t, format, catalog.failure)}
          </ErrorState>
        ) : (
          <ProductListSkeleton rows={10} />
        )}
      </Tabs>
    </Page>
  )
}

/** How the list is sorted, and whether its rows are compact. */
function OrderBar({ sort, onSort }: { sort: ProductSort | undefined; onSort: (sort: string) => void }) {
  const { t } = useTranslation()
  const { denseLists } = usePreferences()
  return (
    <div className={styles.order}>
      <PillSelect
        label={t('products.sort')}
        value={sort ?? ''}
        onValue={onSort}
        options={[
          { value: '', label: t('products.sortBy.none') },
          ...productSorts.map((value) => ({ value, label: t(`products.sortBy.${value}`) })),
        ]}
      />
      <IconButton
        icon="list-bullets"
        size={20}
        pressed={denseLists}
        className={styles.only}
        label={t('products.dense')}
        onClick={() => {
          preferences.denseLists = !denseLists
        }}
      />
    </div>
  )
}

type ProductResultsProps = {
  products: Parameters<typeof ProductList>[0]['products']
  favourites: readonly string[]
  isDense: boolean
  search: string
  /** The venue's search is still running. */
  isSearching: boolean
  favouritesOnly: boolean
  onReset: () => void
}

/** The rows, or why there are none, with an action that shows some again. */
function ProductResults({
  products,
  favourites,
  isDense,
  search,
  isSearching,
  favouritesOnly,
  onReset,
}: ProductResultsProps) {
  const { t } = useTranslation()
  if (products.length > 0) {
    return (
      <ProductList
        products={products}
        favourites={favourites}
        caption="name"
        label={t('title.products')}
        isDense={isDense}
      />
    )
  }
  if (isSearching) return <ProductListSkeleton rows={1} />
  const searched = search.trim() !== ''
  const kind = searched ? 'nothingFound' : favouritesOnly ? 'noFavourites' : 'none'
  return (
    <EmptyState
      icon={searched ? 'magnifying-glass' : favouritesOnly ? 'star' : 'chart-line-up'}
      title={t(`products.${kind}`)}
      action={
        <Button variant="secondary" onClick={onReset}>
          {t(searched ? 'products.clearSearch' : 'products.showAll')}
        </Button>
      }
    >
      {t(`products.${kind}Text`, { query: search.trim() })}
    </EmptyState>
  )
}
