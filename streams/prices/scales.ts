import type { Product } from '../../contract/products.ts'
import type { Api } from '../parts.ts'
import type { Scale } from '../types.ts'

export type Scales = {
  /** Stores the decimals of products that were fetched for another reason. */
  remember: (products: readonly Pick<Product, 'id' | 'priceDecimals' | 'sizeDecimals'>[]) => void
  known: (id: string) => Scale | undefined
  /** A product's decimals; fetched once if unknown. Fails as the request does. */
  get: (id: string) => Promise<Scale>
}

/** Decimal places of prices and sizes by product: they never change, so they are fetched once. */
export function createScales(api: Pick<Api, 'product'>): Scales {
  const known = new Map<string, Scale>()
  const pending = new Map<string, Promise<Scale>>()
  const remember: Scales['remember'] = (products) => {
    for (const { id, priceDecimals, sizeDecimals } of products) known.set(id, { priceDecimals, sizeDecimals })
  }
  const fetchScale = async (id: string): Promise<Scale> => {
    try {
      const { priceDecimals, sizeDecimals } = await api.product(id)
      const scale = { priceDecimals, sizeDecimals }
      known.set(id, scale)
      return scale
    } finally {
      pending.delete(id)
    }
  }
  return {
    remember,
    known: (id) => known.get(id),
    get: (id) => {
      const scale = known.get(id)
      if (scale) return Promise.resolve(scale)
      const request = pending.get(id) ?? fetchScale(id)
      pending.set(id, request)
      return request
    },
  }
}
