import { moneyOf } from '../../contract/money.ts'
import type { Database } from '../../server/platform/db/database.ts'
import type { Direction, Order } from '../../contract/orders.ts'
import { parseVenueKey } from '../../server/platform/venueKey.ts'
import { manualClock } from './manualClock.ts'
import { openMarket, syntheticProduct, withSeconds } from './marketFixtures.ts'
import { placeOrder } from './orders.ts'
import { openTestVenue } from './testVenue.ts'
import { photo, uploadFile } from './uploads.ts'

const seconds = 20
const venueKey = 'ba'.repeat(32)

/** A venue on its own market with a chunk in its log, settled orders, an open one and a photo. */
export async function openBackedUpVenue(database: Database, dataDir: string) {
  const clock = manualClock()
  const market = await openMarket(database.db, clock, [withSeconds(syntheticProduct('FAST', 200), seconds)], {
    everyMs: 500,
  })
  const { uploadKey, idempotencyKey, logKey } = parseVenueKey(venueKey)!
  const secrets = {
    deskKey: 'the-desk-key-of-a-venue-with-backups',
    uploadKey: Buffer.from(uploadKey, 'hex'),
    idempotencyKey: Buffer.from(idempotencyKey, 'hex'),
    logKey: Buffer.from(logKey, 'hex'),
  }
  const venue = await openTestVenue(database, { clock, market, dataDir, secrets })
  await clock.advance(1000)
  const member = await venue.createMember(moneyOf('1000.00'))
  const place = (direction: Direction): Promise<Order> =>
    placeOrder(venue, member, { productId: 'FAST', direction, seconds })
  const settled = [await place('up'), await place('down')]
  // Until the orders have results that the nightly checks have settled again, and the log has a chunk, which is due at 4,096 ticks.
  await clock.advance(seconds * 1000 + 7000)
  await venue.trading.idle()
  await place('up')
  const uploaded = await uploadFile(venue.app, member, { purpose: 'service', file: await photo() })
  const { uploadId } = uploaded.body as { uploadId: string }
  await clock.advance(1000)
  return { venue, venueKey, member, settled, uploadId }
}
