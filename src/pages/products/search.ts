import type { Category } from '../../../contract/products.ts'
import type { Product } from '../../../streams/index.ts'
import { pinyinInitials } from './pinyin.ts'

export type ProductFilter = {
  category: Category | 'all'
  /** As typed. */
  query: string
  /** Only these; undefined for all. */
  only: readonly string[] | undefined
}

/** Upper and lower case, full width, slashes, dashes and spaces make no difference to who is looking for EUR/USD. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\s/\-_.·\p{M}]/gu, '')

const texts = new WeakMap<Product, readonly string[]>()

/** What a product can be found by: id, code, its names in all languages, and the initials of its Chinese name. */
function textsOf(product: Product): readonly string[] {
  let found = texts.get(product)
  if (!found) {
    const chinese = product.names['zh-CN']
    found = [
      ...[product.id, product.code, ...Object.values(product.names)].map(plain),
      ...(chinese === undefined ? [] : [plain(pinyinInitials(chinese))]),
    ]
    texts.set(product, found)
  }
  return found
}

/** The products of a tab that match what was typed, in the venue's order. */
export function filterProducts(products: readonly Product[], filter: ProductFilter): Product[] {
  const wanted = plain(filter.query)
  return products.filter(
    (product) =>
      (filter.category === 'all' || product.category === filter.category) &&
      (filter.only === undefined || filter.only.includes(product.id)) &&
      (wanted === '' || textsOf(product).some((text) => text.includes(wanted))),
  )
}
