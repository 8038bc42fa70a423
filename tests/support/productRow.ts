import type { ProductRow } from '../../server/market/feed/products.ts'

/** A synthetic walk around 100.00 with 20 ticks a second, with changes. */
export const walk = (change: Partial<Walk> = {}): { synthetic: Walk } => ({
  synthetic: { seed: 1, ticksPerSecond: 20, start: 100, volatility: 0.5, ...change },
})
type Walk = Extract<ProductRow['feed'], { synthetic: unknown }>['synthetic']

/** A row of a product table in the format of PRODUCTS_FILE: a walk with one duration of 30 s, with changes. */
export function productRow(id: string, change: Partial<ProductRow> = {}): ProductRow {
  return {
    id,
    code: id,
    category: 'crypto',
    names: { en: id },
    priceDecimals: 2,
    durations: [{ seconds: 30, rateBp: 8500, min: '1.00', max: '1000.00' }],
    maxTickGapMs: 15_000,
    entryTimeoutMs: 10_000,
    recommended: true,
    feed: walk(),
    ...change,
  }
}
