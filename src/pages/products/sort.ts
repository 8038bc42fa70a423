import type { Language } from '../../../contract/constants.ts'
import { hasVolume } from '../../../contract/products.ts'
import type { Product, Ticker } from '../../../streams/index.ts'
import { textColumn } from '../../features/lists/sorting.ts'
import type { ProductColumn } from '../../features/market/ProductList.tsx'
import type { SortDirection } from '../../ui/index.ts'

/** Orders of the list, as in the address; `fall` is the change, lowest first. The others but `name` are highest first. */
export const productSorts = ['name', 'change', 'fall', 'volume', 'price'] as const
export type ProductSort = (typeof productSorts)[number]

/** The order in the address; undefined is the venue's own. */
export const sortOf = (query: URLSearchParams): ProductSort | undefined =>
  productSorts.find((sort) => sort === query.get('sort'))

/** The orders by a column, in which taps on its head go through them. */
const sortsOf: Record<ProductColumn, readonly [ProductSort, SortDirection][]> = {
  name: [['name', 'ascending']],
  price: [['price', 'descending']],
  change: [
    ['change', 'descending'],
    ['fall', 'ascending'],
  ],
  volume: [['volume', 'descending']],
}

/** How an order sorts by a column, and the one after a tap on its head; undefined is the venue's own. */
export function sortByColumn(
  column: ProductColumn,
  sort: ProductSort | undefined,
): { sorted: SortDirection | undefined; next: ProductSort | undefined } {
  const sorts = sortsOf[column]
  const index = sorts.findIndex(([name]) => name === sort)
  return { sorted: sorts[index]?.[1], next: sorts[index + 1]?.[0] }
}

/**
 * Sorts products by figures of their tickers; equal ones keep the venue's order.
 * @param tickerOf a product's newest ticker; undefined if there is none yet
 */
export function sortProducts(
  products: readonly Product[],
  sort: ProductSort | undefined,
  language: Language,
  tickerOf: (id: string) => Ticker | undefined,
): readonly Product[] {
  if (sort === undefined) return products
  if (sort === 'name') return [...products].sort(textColumn<Product>(language, ({ code }) => code).compare)
  const figures = new Map(
    products.map((product) => [product.id, figureOf(sort, product, tickerOf(product.id) ?? product)]),
  )
  const figure = ({ id }: Product): number => figures.get(id) ?? 0
  return [...products].sort((a, b) => figure(b) - figure(a))
}

/** For display order only: no price or volume is computed with it. */
function figureOf(
  sort: Exclude<ProductSort, 'name'>,
  product: Product,
  { change24hBp, volume24h, last }: Ticker,
): number {
  if (sort === 'volume') return hasVolume(product) ? Number(volume24h) : -1
  if (sort === 'price') return Number(last)
  return sort === 'fall' ? -change24hBp : change24hBp
}
