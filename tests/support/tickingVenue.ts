import type { Database } from '../../server/platform/db/database.ts'
import type { RunningMarket } from '../../server/market/market.ts'
import { manualClock } from './manualClock.ts'
import { openMarket, syntheticProduct } from './marketFixtures.ts'
import { testFence } from './testFence.ts'
import { openTestVenue, type TestVenue, type TestVenueOptions } from './testVenue.ts'

export type TickingVenue = TestVenue<RunningMarket>
export type TickingVenueOptions = Omit<TestVenueOptions<RunningMarket>, 'clock' | 'market'> & {
  start?: number
}

/**
 * A test venue with the venue's own market, whose two products tick by themselves whenever the clock moves. One second
 * has passed, so both take orders.
 */
export async function openTickingVenue(
  database: Database,
  { start, ...options }: TickingVenueOptions = {},
): Promise<TickingVenue> {
  const clock = manualClock(start)
  const { engineDatabase = database, fence = testFence } = options
  const products = [syntheticProduct('BTCUSDT', 2), syntheticProduct('XAUUSD', 2, 3)]
  const market = await openMarket(engineDatabase.db, clock, products, { fence })
  const venue = await openTestVenue(database, { ...options, clock, market })
  await clock.advance(1000)
  return venue
}
