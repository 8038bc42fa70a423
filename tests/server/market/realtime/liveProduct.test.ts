import { beforeEach, expect, it } from 'vitest'
import type { FeedEvent } from '../../../../contract/socket.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import { withWitness } from '../../../../server/market/feed/loadProducts.ts'
import { fakeExchange } from '../../../support/fakeExchange.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { openMarket, productOf, syntheticProduct } from '../../../support/marketFixtures.ts'
import { withDatabase, withVenue } from '../../../support/withVenue.ts'

let database: Database
beforeEach(async () => {
  database = await withDatabase()
})

it('each heartbeat has the watermark of each product, and only the one without its source is stale', async () => {
  const clock = manualClock()
  const live = fakeExchange(clock)
  const products = [productOf('LIVE', live.source), syntheticProduct('WALK', 10)]
  const market = await openMarket(database.db, clock, products, { everyMs: 100 })
  const venue = await withVenue({ database, clock, market })
  const client = await venue.connect()
  await client.request('subscribe', { products: ['LIVE', 'WALK'] })
  const newest = async (): Promise<FeedEvent['p']> => {
    await client.sync()
    return client.eventsOf<FeedEvent>('feed').at(-1)!.p
  }
  live.trade(10_000)
  await clock.advance(2000)
  const before = await newest()
  expect([before['LIVE']?.status, before['WALK']?.status]).toEqual(['live', 'live'])
  live.drop()
  const frozenAt = clock.now()
  await clock.advance(4000)
  const after = await newest()
  expect(after['LIVE']).toMatchObject({ watermark: frozenAt, status: 'stale', seq: 1 })
  expect(after['WALK']?.status).toBe('live')
  expect(after['WALK']?.watermark).toBeGreaterThan(frozenAt + 2500)
  expect(venue.reportedErrors).toEqual([])
})

it('each heartbeat says why the witness of a product refuses new orders, and nothing while it agrees', async () => {
  const clock = manualClock()
  const own = fakeExchange(clock, { fingerprint: 'exchange:own' })
  const second = fakeExchange(clock, { fingerprint: 'exchange:second' })
  const products = withWitness(productOf('PAIR', own.source), productOf('PAIR~kraken', second.source), 10)
  const market = await openMarket(database.db, clock, products, { everyMs: 250 })
  const venue = await withVenue({ database, clock, market })
  const client = await venue.connect()
  await client.request('subscribe', { products: ['PAIR'] })
  const newest = async (): Promise<FeedEvent['p'][string] | undefined> => {
    await client.sync()
    return client.eventsOf<FeedEvent>('feed').at(-1)?.p['PAIR']
  }
  const trade = async (ms: number, price: number, witnessPrice: number | null): Promise<void> => {
    for (let i = 0; i * 250 < ms; i++) {
      own.trade(price)
      if (witnessPrice !== null) second.trade(witnessPrice)
      await clock.advance(250)
    }
  }
  await trade(1000, 10_000, 10_005)
  expect(await newest()).not.toHaveProperty('witness')
  await trade(4000, 10_000, 10_100)
  expect(await newest()).toMatchObject({ status: 'live', witness: 'deviates' })
  await trade(2000, 10_100, 10_100)
  expect(await newest()).not.toHaveProperty('witness')
  await trade(32_000, 10_100, null)
  expect(await newest()).toMatchObject({ status: 'live', witness: 'silent' })
  expect(venue.reportedErrors).toEqual([])
})
