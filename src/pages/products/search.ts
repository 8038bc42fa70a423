import { normalizeSearchText, searchTextsOf } from '../../../contract/productSearch.ts'
import type { Category } from '../../../contract/products.ts'
import type { Product } from '../../../streams/index.ts'

export type ProductFilter = {
  category: Category | 'all'
  /** As typed. */
  query: string
  /** Ids that the venue found for the same query, beside those whose names match here. */
  found: readonly string[]
  /** Only these; undefined for all. */
  only: readonly string[] | undefined
}

const texts = new WeakMap<Product, readonly string[]>()

function textsOf(product: Product): readonly string[] {
  let found = texts.get(product)
  if (!found) {
    found = searchTextsOf(product)
    texts.set(product, found)
  }
  return found
}

/** The products of a tab that match what was typed, in the venue's order. */
export function filterProducts(products: readonly Product[], filter: ProductFilter): Product[] {
  const wanted = normalizeSearchText(filter.query)
  return products.filter(
    (product) =>
      (filter.category === 'all' || product.category === filter.category) &&
      (filter.only === undefined || filter.only.includes(product.id)) &&
      (wanted === '' ||
        filter.found.includes(product.id) ||
        textsOf(product).some((text) => text.includes(wanted))),
  )
}
