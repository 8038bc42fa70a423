import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '../../../streams/index.ts'
import { ColumnHead, ColumnHeads, cx, Skeleton, VisuallyHidden, type HeadSort } from '../../ui/index.ts'
import { ProductRow } from './ProductRow.tsx'
import styles from './ProductList.module.css'

export type ProductListProps = {
  products: readonly Product[]
  caption: 'name' | 'volume'
  label: string
  /** The favourites; if set, each row has a star button. */
  favourites?: readonly string[]
  inset?: ListInset
  /** One line per product: without local name, day and, on a phone, sparkline. */
  isDense?: boolean
  /** How the list is sorted by a column, and what a tap on its head does. */
  head?: ((column: ProductColumn) => HeadSort) | undefined
}

/** Those by which products can be sorted. */
export type ProductColumn = 'name' | 'price' | 'change' | 'volume'

/** The horizontal inset of the rows: the page's gutter, a card's padding, or none. */
export type ListInset = 'page' | 'card' | 'flush'

/** A live list of products; from 900 px with a header and a column for volume. */
export function ProductList(props: ProductListProps) {
  const { products, caption, label, favourites, inset = 'page', isDense = false, head } = props
  return (
    <div className={cx(styles.list, styles[inset])} data-dense={isDense || undefined}>
      <ListHead starred={favourites !== undefined} head={head} />
      <ul aria-label={label}>
        {products.map((product) => (
          <ProductRow
            key={product.id}
            product={product}
            caption={caption}
            {...(favourites === undefined ? {} : { favourite: favourites.includes(product.id) })}
          />
        ))}
      </ul>
    </div>
  )
}

type ListHeadProps = { starred: boolean } & Pick<ProductListProps, 'head'>

function ListHead({ starred, head }: ListHeadProps) {
  const { t } = useTranslation()
  const of = (column: ProductColumn) => head?.(column) ?? {}
  return (
    <ColumnHeads label={t('lists.columns')} className={cx(styles.head, starred && styles.starred)}>
      <ColumnHead {...of('name')}>{t('products.name')}</ColumnHead>
      <ColumnHead>{t('products.day')}</ColumnHead>
      <ColumnHead className={styles.both}>{t('products.lastAndDay')}</ColumnHead>
      <ColumnHead className={styles.apart} {...of('price')}>
        {t('products.last')}
      </ColumnHead>
      <ColumnHead className={styles.apart} {...of('change')}>
        {t('products.change')}
      </ColumnHead>
      <ColumnHead className={styles.farApart}>{t('products.high')}</ColumnHead>
      <ColumnHead className={styles.farApart}>{t('products.low')}</ColumnHead>
      <ColumnHead className={styles.apart} {...of('volume')}>
        {t('products.volume')}
      </ColumnHead>
    </ColumnHeads>
  )
}

/** A placeholder for the list in its final size. */
export function ProductListSkeleton({
  rows,
  inset = 'page',
}: {
  rows: number
  inset?: ListInset
}): ReactNode {
  const { t } = useTranslation()
  return (
    <div className={cx(styles.list, styles[inset])} aria-busy="true">
      <VisuallyHidden>{t('common.loading')}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles.blank} data-row="">
          <span className={styles.blankNames}>
            <Skeleton line={15} />
            <Skeleton line={12} />
            <Skeleton line={12} className={styles.blankDate} />
          </span>
          <Skeleton className={styles.blankLine} />
          <span className={styles.blankFigures}>
            <Skeleton line={15} />
            <Skeleton line={13} />
          </span>
        </div>
      ))}
    </div>
  )
}
