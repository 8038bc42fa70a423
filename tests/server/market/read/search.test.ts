import { describe, expect, it } from 'vitest'
import { matchesQuery } from '../../../../server/market/read/search.ts'
import type { ProductSettings } from '../../../../server/market/ports.ts'
import table from '../../../../server/products.json' with { type: 'json' }

const idsMatching = (query: string): string[] =>
  table
    .filter((row) => matchesQuery(query, row as unknown as ProductSettings, row.search ?? []))
    .map(({ id }) => id)

describe('matchesQuery', () => {
  it.each([
    ['New Zealand', 'NZDUSD'],
    ['Neuseeland', 'NZDUSD'],
    ['ニュージーランド', 'NZDUSD'],
    ['néo-zélandais', 'NZDUSD'],
    ['neo zelandais', 'NZDUSD'],
    ['nymy', 'NZDUSD'],
    ['CSI 300 index', 'IF'],
    ['yitaifang', 'ETHUSD'],
    ['莱特币', 'LTCUSDT'],
    ['dollar américain', 'EURUSD'],
  ])('finds a product of the venue by a long name: %s', (query, id) =>
    expect(idsMatching(query)).toContain(id),
  )
})
