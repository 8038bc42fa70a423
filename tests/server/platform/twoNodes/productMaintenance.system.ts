import { expect, it } from 'vitest'
import { hourMs } from '../../../../contract/time.ts'
import type { RunningMarket } from '../../../../server/market/market.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { openMarket, syntheticProduct } from '../../../support/marketFixtures.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { followerOf } from '../../../support/testCluster.ts'
import { withVenue } from '../../../support/withVenue.ts'

const postgres = await withPostgres('two_nodes_products')

postgres.describe('products of two nodes on one database', () => {
  it('enter and leave maintenance at the other node within a second', async () => {
    const products = [syntheticProduct('A', 5)]
    const database = postgres.database()
    const clock = manualClock()
    // Markets that only read: two processes never write one log.
    const openReader = async (): Promise<RunningMarket> => ({
      ...(await openMarket(database.db, clock, products)),
      start: () => undefined,
      stop: async () => undefined,
    })
    const a = await withVenue({ database, clock, cluster: followerOf, market: await openReader() })
    const { secrets } = a
    const b = await withVenue({ database, clock, secrets, cluster: followerOf, market: await openReader() })
    const opensAt = clock.now() + hourMs
    await a.market.setMaintenance('A', true, opensAt)
    await clock.advance(1000)
    expect(b.market.tradingHours('A')).toEqual({ status: 'maintenance', opensAt, closesAt: null })
    await a.market.setMaintenance('A', false, null)
    await clock.advance(1000)
    expect(b.market.tradingHours('A').status).toBe('open')
    await a.close()
    await b.close()
    expect([...a.reportedErrors, ...b.reportedErrors]).toEqual([])
  })
})
