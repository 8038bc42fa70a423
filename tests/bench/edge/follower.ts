import { openBus } from '../../../server/platform/cluster/openBus.ts'
import { busKeysOf } from '../../../server/platform/cluster/seal.ts'
import { readVenueId } from '../../../server/platform/cluster/venueId.ts'
import { systemClock } from '../../../server/platform/clock.ts'
import { openPostgresDatabase } from '../../../server/platform/db/open.ts'
import { loadProducts } from '../../../server/market/feed/loadProducts.ts'
import type { ProductRow } from '../../../server/market/feed/products.ts'
import { openNodeMarket } from '../../../server/market/nodeMarket.ts'
import { systemRandom } from '../../../server/platform/random.ts'
import { noVenueKeys, parseVenueKey } from '../../../server/platform/venueKey.ts'
import { sha } from '../../support/marketFixtures.ts'
import { natsServer } from '../../support/nats.ts'

/** The venue that it follows. */
export type Followed = {
  databaseUrl: string
  products: readonly ProductRow[]
  venueKey: string
}

/**
 * Follows the log of a venue with synthetic prices, as its edges do, in this process.
 * @param onApplied called with the instant of each flush once its ticks are in the product states
 * @returns ends it
 */
export async function followVenue(
  { databaseUrl, products: rows, venueKey }: Followed,
  onApplied: (at: number) => void,
): Promise<() => Promise<void>> {
  const report = (message: string, error: unknown): never => {
    throw new Error(message, { cause: error })
  }
  const database = await openPostgresDatabase({ databaseUrl })
  const clock = systemClock()
  const keys = busKeysOf(parseVenueKey(venueKey) ?? noVenueKeys, await readVenueId(database.db))
  const address = { url: natsServer(), keys, name: 'bench' }
  const bus = await openBus(address, { now: () => clock.now(), warn: () => undefined, report })
  const followed = await openNodeMarket({
    db: database.db,
    bus,
    clock,
    sha,
    random: systemRandom,
    products: await loadProducts(rows, { feed: 'synthetic', recordingsDir: '', closedPauseMs: 0 }),
    report,
    onFlush: () => undefined,
    isPlausible: () => true,
    onLost: (error) => report('the log is lost', error),
  })
  followed.market.onFlush(({ at }) => onApplied(at))
  return async () => {
    await followed.stop()
    await bus.close()
    await database.close()
  }
}
