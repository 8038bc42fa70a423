import type { Product, Ticker } from '../../../streams/index.ts'
import type { Language } from '../../../contract/constants.ts'
import type { Movement } from '../../ui/index.ts'

export const movementOf = (change: number): Movement => (change > 0 ? 'up' : change < 0 ? 'down' : 'level')

/** Whether the product has a price: one with a live source has none before its first tick. */
export const hasPrice = ({ last }: Pick<Ticker, 'last'>): boolean => Number(last) > 0

/** The product's name in a language, or its English name, or its code. */
export const productName = (product: Pick<Product, 'names' | 'code'>, language: Language): string =>
  product.names[language] ?? product.names['en'] ?? product.code
