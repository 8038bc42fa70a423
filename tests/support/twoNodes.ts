import type { Database } from '../../server/platform/db/database.ts'
import { clusterOf } from './testCluster.ts'
import { openTestVenue, type TestVenue, type TestVenueOptions } from './testVenue.ts'

/**
 * Two venues on one database, as two processes: they share keys, clock and market, and
 * nothing else. Either may do what only the leader does.
 */
export async function openTwoNodes(
  database: Database,
  options: TestVenueOptions = {},
): Promise<{ a: TestVenue; b: TestVenue; close: () => Promise<void> }> {
  const cluster = clusterOf({ isLeading: true })
  const a = await openTestVenue(database, { ...options, cluster })
  const { clock, market, secrets } = a
  const b = await openTestVenue(database, { ...options, cluster, clock, market, secrets })
  return {
    a,
    b,
    close: async () => {
      await a.close()
      await b.close()
    },
  }
}
