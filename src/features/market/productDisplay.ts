import type { Product } from '../../../streams/index.ts'
import type { Language } from '../../../contract/constants.ts'
import type { Movement } from '../../ui/index.ts'

export const movementOf = (change: number): Movement => (change > 0 ? 'up' : change < 0 ? 'down' : 'level')

/** The product's name in a language, or its English name, or its code. */
export const productName = (product: Pick<Product, 'names' | 'code'>, language: Language): string =>
  product.names[language] ?? product.names['en'] ?? product.code
