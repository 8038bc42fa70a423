import { asc } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Duration } from '../../../contract/products.ts'
import type { Database } from '../../../server/platform/db/open.ts'
import { withDatabase } from '../../support/withVenue.ts'
import { productTerms } from '../../../server/market/schema.ts'
import { withWitness, type MarketProduct } from '../../../server/market/feed/loadProducts.ts'
import { leadDatabase } from '../../support/ledDatabase.ts'
import { manualClock, type ManualClock } from '../../support/manualClock.ts'
import { openMarket, syntheticProduct } from '../../support/marketFixtures.ts'

let database: Database
let clock: ManualClock
beforeEach(async () => {
  database = await withDatabase()
  clock = manualClock()
})

const minute: Duration = { seconds: 60, rateBp: 8500, min: '1.00', max: '50.00' }
const withDurations = (id: string, ...durations: Duration[]): MarketProduct => {
  const product = syntheticProduct(id, 2)
  return { ...product, settings: { ...product.settings, durations } }
}

/** A venue's run with these products, from its start to its end. @returns when it began */
async function run(...products: readonly MarketProduct[]): Promise<number> {
  const startedAt = clock.now()
  const fence = await leadDatabase(database)
  const market = await openMarket(database.db, clock, products, { fence })
  market.start()
  await clock.advance(1000)
  await market.stop()
  return startedAt
}

const rows = () =>
  database.db
    .select()
    .from(productTerms)
    .orderBy(asc(productTerms.sinceAt), asc(productTerms.productId), asc(productTerms.seconds))
const inShort = async (): Promise<unknown[]> =>
  (await rows()).map(({ productId, seconds, sinceAt, offered, rateBp }) => [
    productId,
    seconds,
    sinceAt,
    offered,
    rateBp,
  ])

describe('the terms of products', () => {
  it('are those of the product table', async () => {
    const product = withDurations('A', minute)
    const averaged = withDurations('B', { ...minute, max: '9999999.00' })
    const settlement = {
      rule: 'R2',
      entryDelayMs: 500,
      exitWindowMs: 10_000,
      exitCutBp: 2000,
      exitMinTicks: 5,
    } as const
    const sinceAt = await run(product, { ...averaged, settings: { ...averaged.settings, settlement } })
    const shared = { seconds: 60, sinceAt, offered: true, rateBp: 8500, minAmount: 100, priceDecimals: 2 }
    const gaps = { entryTimeoutMs: 10_000, maxTickGapMs: 15_000, source: product.source.fingerprint }
    const none = { entryDelayMs: null, exitWindowMs: null, exitCutBp: null, exitMinTicks: null }
    expect(await rows()).toEqual([
      { productId: 'A', ...shared, ...gaps, ...none, maxAmount: 5000, rule: 'R1' },
      // The venue's own highest stake.
      { productId: 'B', ...shared, ...gaps, ...settlement, maxAmount: 99_999_900 },
    ])
  })

  it('are written where they change, and end with the product or the duration', async () => {
    const [first, second] = [minute, { ...minute, seconds: 120 }]
    const start = await run(withDurations('A', first, second), withDurations('B', first))
    const written = [
      ['A', 60, start, true, 8500],
      ['A', 120, start, true, 8500],
      ['B', 60, start, true, 8500],
    ]
    await run(withDurations('A', first, second), withDurations('B', first))
    expect(await inShort()).toEqual(written)

    const changed = await run(withDurations('A', { ...first, rateBp: 8000 }))
    written.push(
      ['A', 60, changed, true, 8000],
      ['A', 120, changed, false, 8500],
      ['B', 60, changed, false, 8500],
    )
    expect(await inShort()).toEqual(written)

    const returned = await run(withDurations('A', { ...first, rateBp: 8000 }, second))
    written.push(['A', 120, returned, true, 8500])
    expect(await inShort()).toEqual(written)
  })

  it('change twice at one instant', async () => {
    const start = clock.now()
    const fence = await leadDatabase(database)
    for (const rateBp of [8500, 8000, 7500]) {
      const market = await openMarket(database.db, clock, [withDurations('A', { ...minute, rateBp })], {
        fence,
      })
      await market.stop()
    }
    expect(await inShort()).toEqual([
      ['A', 60, start, true, 8500],
      ['A', 60, start + 1, true, 8000],
      ['A', 60, start + 2, true, 7500],
    ])
  })

  it('are none of a witness', async () => {
    await run(...withWitness(withDurations('A', minute), withDurations('W', minute), 100))
    expect((await rows()).map(({ productId }) => productId)).toEqual(['A'])
  })
})

describe('an order', () => {
  /** What refuses it: its terms, or after them that its stake is missing. */
  async function refusal(change: Record<string, string | number> = {}): Promise<string> {
    const { rows: newest } = await database.pool.query<{ at: number }>(`SELECT max(at) AS at FROM tick_batch`)
    const order: Record<string, string | number> = {
      id: 'o',
      no: 'o',
      member_id: 'm',
      key: 'k',
      product_id: 'A',
      direction: 'up',
      amount: 1000,
      seconds: 60,
      rate_bp: 8500,
      rule: 'R1',
      price_decimals: 2,
      entry_timeout_ms: 10_000,
      max_tick_gap_ms: 15_000,
      source: syntheticProduct('A', 2).source.fingerprint,
      accepted_at: newest[0]?.at ?? 0,
      status: 'accepted',
      ...change,
    }
    order['valid_until'] = order['accepted_at'] ?? 0
    order['close_at'] = Number(order['accepted_at']) + Number(order['seconds']) * 1000
    const values = Object.keys(order).map((_, i) => `$${i + 1}`)
    const statement = `INSERT INTO orders (${Object.keys(order).join()}) VALUES (${values.join()})`
    return database.pool.query(statement, Object.values(order)).then(
      () => 'accepted',
      (error: unknown) => (/other terms/.test(String(error)) ? 'terms' : String(error)),
    )
  }
  const passes = 'error: an order of member m without its stake'

  it('has the terms in force at its acceptance', async () => {
    await run(withDurations('A', minute))
    expect(await refusal()).toBe(passes)
    expect(await refusal({ rate_bp: 8000 })).toBe('terms')
    await run(withDurations('A', { ...minute, rateBp: 8000 }))
    expect(await refusal()).toBe('terms')
    expect(await refusal({ rate_bp: 8000 })).toBe(passes)
  })

  it('has a stake between the least and the highest of its duration', async () => {
    await run(withDurations('A', minute, { ...minute, seconds: 120, max: '60.00' }))
    const outcomes = []
    for (const amount of [99, 100, 5000, 5001]) outcomes.push(await refusal({ amount }))
    expect(outcomes).toEqual(['terms', passes, passes, 'terms'])
    expect(await refusal({ amount: 5001, seconds: 120 })).toBe(passes)
  })

  it('is of a product and a duration that are offered', async () => {
    await run(withDurations('A', minute), withDurations('B', minute))
    expect(await refusal({ product_id: 'B' })).toBe(passes)
    await run(withDurations('A', minute, { ...minute, seconds: 120 }))
    expect(await refusal({ product_id: 'B' })).toBe('terms')
    expect(await refusal({ product_id: 'NONE' })).toBe('terms')
    expect(await refusal({ seconds: 120 })).toBe(passes)
    expect(await refusal({ seconds: 90 })).toBe('terms')
  })

  it('is refused before any terms were written', async () => {
    await leadDatabase(database)
    expect(await refusal({ accepted_at: 1 })).toBe('terms')
  })
})
