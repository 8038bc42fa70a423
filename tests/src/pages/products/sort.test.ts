import { describe, expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import type { Product, Ticker } from '../../../../streams/index.ts'
import { sortOf, sortProducts, type ProductSort } from '../../../../src/pages/products/sort.ts'

const productOf = (part: Pick<Product, 'id' | 'code' | 'change24hBp' | 'volume24h' | 'last'>): Product => ({
  ...part,
  category: 'forex',
  names: { en: part.code },
  priceDecimals: 2,
  sizeDecimals: 2,
  lastAt: epochMs(1),
  high24h: '1.00',
  low24h: '1.00',
  amount24h: '0.00',
  status: 'open',
  opensAt: null,
  closesAt: null,
  rateBp: 8000,
  recommended: false,
  source: 'synthetic',
})
const products = [
  productOf({ id: 'B', code: 'BTC/USDT', change24hBp: -120, volume24h: '9.5', last: '60000.10' }),
  productOf({ id: 'E', code: 'EUR/USD', change24hBp: 15, volume24h: '100', last: '1.09' }),
  productOf({ id: 'A', code: 'AUD/USD', change24hBp: 15, volume24h: '20', last: '0.65' }),
]
const idsBy = (sort: ProductSort | undefined, live: Record<string, Partial<Ticker>> = {}) =>
  sortProducts(products, sort, 'en', (id) => {
    const product = products.find((one) => one.id === id)
    return product && live[id] ? { ...product, ...live[id] } : undefined
  })
    .map(({ id }: Product) => id)
    .join(' ')

describe('sortProducts', () => {
  it.each([
    [undefined, 'B E A'],
    ['name', 'A B E'],
    // Equal changes keep the venue's order.
    ['change', 'E A B'],
    ['fall', 'B E A'],
    ['volume', 'E A B'],
    ['price', 'B E A'],
  ] as const)('by %s: %s', (sort, expected) => expect(idsBy(sort)).toBe(expected))

  it('puts quotes without sizes last by volume: their ticks are no volume', () => {
    const quotes = {
      ...productOf({ id: 'Q', code: 'Q', change24hBp: 0, volume24h: '900', last: '1' }),
      sizeDecimals: 0,
    }
    const sorted = sortProducts([quotes, ...products], 'volume', 'en', () => undefined)
    expect(sorted.map(({ id }) => id).join(' ')).toBe('E A B Q')
  })

  it('uses the newest tickers', () => {
    expect(idsBy('change', { A: { change24hBp: 16 }, B: { change24hBp: 500 } })).toBe('B A E')
  })
})

describe('sortOf', () => {
  it.each([
    ['sort=change', 'change'],
    ['sort=CHANGE', undefined],
    ['', undefined],
  ])('%s: %s', (query, expected) => expect(sortOf(new URLSearchParams(query))).toBe(expected))
})
