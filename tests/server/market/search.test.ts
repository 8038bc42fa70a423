import { describe, expect, it } from 'vitest'
import { matchesQuery } from '../../../server/market/search.ts'
import type { ProductSettings } from '../../../server/ports.ts'
import table from '../../../server/products.json' with { type: 'json' }

const foundBy = (query: string): string[] =>
  table
    .filter((row) => matchesQuery(query, row as unknown as ProductSettings, row.search ?? []))
    .map(({ id }) => id)

describe('the products of the venue', () => {
  it.each([
    ['New Zealand', 'NZDUSD'],
    ['Neuseeland', 'NZDUSD'],
    ['ニュージーランド', 'NZDUSD'],
    ['néo-zélandais', 'NZDUSD'],
    ['nymy', 'NZDUSD'],
    ['CSI 300 index', 'IF'],
    ['bibenwei', 'BTCUSD-PERP'],
    ['永续合约', 'BTCUSDT-PERP'],
    ['dollar américain', 'EURUSD'],
  ])('are found by more than the short name: %s', (query, id) => expect(foundBy(query)).toContain(id))
})
