import { normalizeSearchText, searchTextsOf } from '../../../contract/productSearch.ts'
import type { Category } from '../../../contract/products.ts'
import type { Product } from '../../../streams/index.ts'

export type ProductFilter = {
  category: Category | 'all'
  /** As typed. */
  query: string
  /** Ids that the venue found for the same query, in addition to those that match here. */
  found: readonly string[]
  /** Only these ids; undefined for all. */
  only: readonly string[] | undefined
}

const textCache = new WeakMap<Product, readonly string[]>()

function textsOf(product: Product): readonly string[] {
  let texts = textCache.get(product)
  if (!texts) {
    texts = searchTextsOf(product)
    textCache.set(product, texts)
  }
  return texts
}

/** The products of a category that match the query, in the venue's order. */
export function filterProducts(products: readonly Product[], filter: ProductFilter): Product[] {
  const query = normalizeSearchText(filter.query)
  return products.filter(
    (product) =>
      (filter.category === 'all' || product.category === filter.category) &&
      (filter.only === undefined || filter.only.includes(product.id)) &&
      (query === '' ||
        filter.found.includes(product.id) ||
        textsOf(product).some((text) => text.includes(query))),
  )
}
