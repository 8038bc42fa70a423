import { useState, type MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '../../../../streams/index.ts'
import { LiveChange } from '../../../features/market/LiveChange.tsx'
import { LivePrice } from '../../../features/market/LivePrice.tsx'
import { filterProducts } from '../../../features/market/productFilter.ts'
import { productName } from '../../../features/market/productDisplay.ts'
import { useProductSearch } from '../../../features/market/useProductSearch.ts'
import { useStale } from '../../../features/market/useTicker.ts'
import { useCatalog } from '../../../hooks/useCatalog.ts'
import { useLanguage } from '../../../hooks/useFormat.ts'
import { paths } from '../../../paths.ts'
import { hrefTo } from '../../../router/hashLocation.ts'
import { usePreferences } from '../../../state/preferences.ts'
import { cx, SearchField, Skeleton } from '../../../ui/index.ts'
import styles from './ProductPicker.module.css'
import { productSections } from './sections.ts'
import { switchProduct } from './switchProduct.ts'

export type ProductPickerProps = {
  /** The product that is open. */
  current: string
  /** Seen last, newest first: a section of their own. */
  lastSeen?: readonly string[]
  onPick?: () => void
}

/** A search and the products with their live prices: favourites, those seen last, the others. */
export function ProductPicker({ current, lastSeen, onPick }: ProductPickerProps) {
  const { t } = useTranslation()
  const catalog = useCatalog()
  const { favourites } = usePreferences()
  const [query, setQuery] = useState('')
  const { ids: found, isSearching } = useProductSearch(query)
  const pick = (id: string): void => {
    onPick?.()
    setQuery('')
    void switchProduct(id)
  }
  const rows = { current, onPick: pick }
  return (
    <>
      <div className={styles.search}>
        <SearchField
          label={t('products.search')}
          clearLabel={t('products.clearSearch')}
          value={query}
          onValue={setQuery}
        />
      </div>
      {catalog === undefined ? (
        <PickerSkeleton />
      ) : query.trim() === '' ? (
        <Sections {...rows} {...productSections(catalog, favourites, lastSeen)} />
      ) : (
        <Found
          {...rows}
          products={filterProducts(catalog, { category: 'all', query, found, only: undefined })}
          isSearching={isSearching}
        />
      )}
    </>
  )
}

type RowsProps = { current: string; onPick: (id: string) => void }

function Sections({ favourites, seen, others, ...rows }: RowsProps & ReturnType<typeof productSections>) {
  const { t } = useTranslation()
  const sections = [
    { title: t('switcher.favourites'), products: favourites },
    { title: t('switcher.seen'), products: seen },
    { title: t('switcher.others'), products: others },
  ].filter(({ products }) => products.length > 0)
  return sections.map(({ title, products }) => (
    <section key={title} aria-label={title}>
      {sections.length > 1 && <h3 className={styles.title}>{title}</h3>}
      <Rows {...rows} products={products} />
    </section>
  ))
}

type FoundProps = RowsProps & { products: readonly Product[]; isSearching: boolean }

function Found({ products, isSearching, ...rows }: FoundProps) {
  const { t } = useTranslation()
  if (products.length === 0 && isSearching) return <PickerSkeleton />
  if (products.length === 0) return <p className={styles.none}>{t('products.nothingFound')}</p>
  return <Rows {...rows} products={products} />
}

const Rows = ({ products, current, onPick }: RowsProps & { products: readonly Product[] }) => (
  <ul>
    {products.map((product) => (
      <Row key={product.id} product={product} isCurrent={product.id === current} onPick={onPick} />
    ))}
  </ul>
)

type RowProps = { product: Product; isCurrent: boolean; onPick: (id: string) => void }

function Row({ product, isCurrent, onPick }: RowProps) {
  const language = useLanguage()
  const stale = useStale(product.id)
  const open = (event: MouseEvent): void => {
    const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (hasModifier || event.button !== 0) return
    event.preventDefault()
    onPick(product.id)
  }
  return (
    <li>
      <a
        className={styles.row}
        href={hrefTo(paths.product, { id: product.id })}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={open}
      >
        <span className={styles.names}>
          <span className={styles.code}>{product.code}</span>
          <span className={styles.name}>{productName(product, language)}</span>
        </span>
        <span className={styles.figures}>
          <LivePrice
            id={product.id}
            last={product.last}
            flashing
            className={cx(styles.price, stale && styles.stale)}
          />
          <span className={styles.change}>
            <LiveChange product={product} />
          </span>
        </span>
      </a>
    </li>
  )
}

const rowsMax = 8

function PickerSkeleton() {
  const { t } = useTranslation()
  return (
    <output aria-label={t('common.loading')}>
      {Array.from({ length: rowsMax }, (_, row) => (
        <span key={row} className={styles.row}>
          <Skeleton line={15} className={styles.blank} />
        </span>
      ))}
    </output>
  )
}
