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

/** Upper and lower case, full width, slashes, dashes and spaces make no difference to who is looking for EUR/USD. */
const normalize = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\s/\-_.·\p{M}]/gu, '')

const texts = new WeakMap<Product, readonly string[]>()

/** What a product can be found by at once: id, code and its names in all languages. */
function textsOf(product: Product): readonly string[] {
  let found = texts.get(product)
  if (!found) {
    found = [product.id, product.code, ...Object.values(product.names)].map(normalize)
    texts.set(product, found)
  }
  return found
}

/** The products of a tab that match what was typed, in the venue's order. */
export function filterProducts(products: readonly Product[], filter: ProductFilter): Product[] {
  const wanted = normalize(filter.query)
  return products.filter(
    (product) =>
      (filter.category === 'all' || product.category === filter.category) &&
      (filter.only === undefined || filter.only.includes(product.id)) &&
      (wanted === '' ||
        filter.found.includes(product.id) ||
        textsOf(product).some((text) => text.includes(wanted))),
  )
}
