import { useTranslation } from 'react-i18next'
import { categories, type Category } from '../../../contract/products.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { lazyStreams } from '../../start/lazyStreams.ts'
import { paths } from '../../paths.ts'
import { loadAheadOf } from '../../start/ahead.ts'
import { firstLoaded } from '../../start/firstLoaded.ts'
import { useQuery, type SetQuery } from '../../router/useQuery.ts'
import { Page } from '../../shell/Page.tsx'
import { useLiveOrOffline } from '../../shell/useLiveOrOffline.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { preferences, usePreferences } from '../../state/preferences.ts'
import { Button, EmptyState, IconButton, PillSelect, SearchField, Tabs } from '../../ui/index.ts'
import {
  ProductList,
  ProductListSkeleton,
  type ProductColumn,
  type ProductListProps,
} from '../../features/market/ProductList.tsx'
import { filterProducts } from '../../features/market/productFilter.ts'
import { useProductSearch } from '../../features/market/useProductSearch.ts'
import { productSorts, sortByColumn, sortOf, type ProductSort } from './sort.ts'
import { useSortedProducts } from './useSortedProducts.ts'
import styles from './Products.module.css'
import { Loaded } from '../../shell/Loaded.tsx'

loadAheadOf(paths.products, async () => {
  if (lazyStreams.value) await firstLoaded(lazyStreams.value.catalog$)
})

type Tab = Category | 'all'
const tabs: readonly Tab[] = ['all', ...categories]

/** All products, with a search, categories and favourites. The view is stored in the address. */
export function Products() {
  const { t } = useTranslation()
  const { catalog$, refresh } = useStreams()
  const { favourites, denseLists } = usePreferences()
  const [query, setQuery] = useQuery()
  const tab = tabs.find((name) => name === query.get('tab')) ?? 'all'
  const search = query.get('q') ?? ''
  const { ids: foundIds, isSearching } = useProductSearch(search)
  const favouritesOnly = query.get('only') === 'favourites'
  const sort = sortOf(query)
  const catalog = useLiveOrOffline(useLoadable(catalog$), offlineStore.products)
  const products = useSortedProducts(valueOf(catalog), sort)
  const reset = (): void => setQuery({ q: undefined, only: undefined, tab: undefined })

  return (
    <Page root receives="prices" refresh="bar" ground="market" width="full" title={t('title.products')}>
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
        <Loaded
          of={catalog}
          failed={t('products.failed')}
          retry={refresh}
          skeleton={<ProductListSkeleton rows={10} />}
        >
          {() => (
            <ProductResults
              products={filterProducts(products ?? [], {
                category: tab,
                query: search,
                found: foundIds,
                only: favouritesOnly ? favourites : undefined,
              })}
              favourites={favourites}
              isDense={denseLists}
              search={search}
              isSearching={isSearching}
              head={headsOf(sort, setQuery)}
              favouritesOnly={favouritesOnly}
              onReset={reset}
            />
          )}
        </Loaded>
      </Tabs>
    </Page>
  )
}

const headsOf = (sort: ProductSort | undefined, setQuery: SetQuery) => (column: ProductColumn) => {
  const { sorted, next } = sortByColumn(column, sort)
  return { sorted, onSort: () => setQuery({ sort: next }) }
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
  head: ProductListProps['head']
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
  head,
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
        head={head}
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
