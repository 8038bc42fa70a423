import type { Language } from '../../../contract/constants.ts'
import type { Product, Ticker } from '../../../streams/index.ts'

/** Orders of the list, as in the address; `fall` is the change, lowest first. The others but `name` are highest first. */
export const productSorts = ['name', 'change', 'fall', 'volume', 'price'] as const
export type ProductSort = (typeof productSorts)[number]

/** The order in the address; undefined is the venue's own. */
export const sortOf = (query: URLSearchParams): ProductSort | undefined =>
  productSorts.find((sort) => sort === query.get('sort'))

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
  if (sort === 'name') {
    const { compare } = new Intl.Collator(language, { numeric: true })
    return [...products].sort((a, b) => compare(a.code, b.code))
  }
  const figures = new Map(
    products.map((product) => [product.id, figureOf(sort, tickerOf(product.id) ?? product)]),
  )
  const figure = ({ id }: Product): number => figures.get(id) ?? 0
  return [...products].sort((a, b) => figure(b) - figure(a))
}

/** For display order only: no price or volume is computed with it. */
function figureOf(sort: Exclude<ProductSort, 'name'>, { change24hBp, volume24h, last }: Ticker): number {
  if (sort === 'volume') return Number(volume24h)
  if (sort === 'price') return Number(last)
  return sort === 'fall' ? -change24hBp : change24hBp
}
