import type { Language } from '../../../contract/constants.ts'
import type { Market } from '../../market/index.ts'

export type ProductLabel = { code: string | null; name: string | null }
/** The code and name of a product; its id if it is no longer in the table, nothing without a product. */
export type ProductOf = (productId: string | null) => ProductLabel

export const productsIn =
  (market: Pick<Market, 'settings'>, language: Language): ProductOf =>
  (productId) => {
    if (productId === null) return { code: null, name: null }
    const settings = market.settings(productId)
    return {
      code: settings?.code ?? productId,
      name: settings?.names[language] ?? settings?.names['en'] ?? null,
    }
  }
