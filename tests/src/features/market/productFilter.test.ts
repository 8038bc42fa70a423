import { describe, expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import type { Product } from '../../../../streams/index.ts'
import { filterProducts } from '../../../../src/features/market/productFilter.ts'

const product = (
  id: string,
  code: string,
  category: Product['category'],
  names: Record<string, string>,
): Product => ({
  id,
  code,
  category,
  names,
  priceDecimals: 2,
  sizeDecimals: 0,
  last: '1.00',
  lastAt: epochMs(1),
  change24hBp: 0,
  high24h: '1.00',
  low24h: '1.00',
  volume24h: '0',
  amount24h: '0.00',
  status: 'open',
  opensAt: null,
  closesAt: null,
  rateBp: 8000,
  recommended: false,
  source: 'synthetic',
})
const products = [
  product('GC', 'GC', 'futures', { 'zh-CN': '黄金期货', en: 'Gold futures' }),
  product('EURUSD', 'EUR/USD', 'forex', { 'zh-CN': '欧元/美元', en: 'Euro / US dollar', vi: 'Đô la' }),
  product('BTCUSDT-PERP', 'BTC/USDT Perp', 'futures', { en: 'Bitcoin perpetual' }),
]
const ids = (query: string, more: Partial<Parameters<typeof filterProducts>[1]> = {}) =>
  filterProducts(products, { category: 'all', only: undefined, found: [], query, ...more }).map(
    ({ id }) => id,
  )

describe('filterProducts', () => {
  it.each([
    ['', ['GC', 'EURUSD', 'BTCUSDT-PERP']],
    ['eur/usd', ['EURUSD']],
    ['EUR USD', ['EURUSD']],
    ['ｅｕｒ', ['EURUSD']],
    ['黄金', ['GC']],
    ['gold', ['GC']],
    ['btcusdt-perp', ['BTCUSDT-PERP']],
    ['zzz', []],
  ])('finds products for %j', (query, expected) => {
    expect(ids(query)).toEqual(expected)
  })

  it('filters by category and favourites', () => {
    expect(ids('', { category: 'futures' })).toEqual(['GC', 'BTCUSDT-PERP'])
    expect(ids('', { only: ['EURUSD'] })).toEqual(['EURUSD'])
    expect(ids('gold', { category: 'forex' })).toEqual([])
  })

  it('includes the products that the venue found', () => {
    expect(ids('hjqh', { found: ['GC'] })).toEqual(['GC'])
  })
})
