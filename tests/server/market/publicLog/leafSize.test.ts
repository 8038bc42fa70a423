import { expect, it } from 'vitest'
import { parseLeaf } from '../../../../contract/tlog/leaf.ts'
import { unpackEntries } from '../../../../contract/tlog/tiles.ts'
import { fakeMarket, testProduct } from '../../../support/fakeMarket.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { runMarket, tickOnce } from '../../../support/orders.ts'
import { withDatabase, withVenue } from '../../../support/withVenue.ts'

it('states in the next leaf the gaps for which a leaf has no place', async () => {
  const database = await withDatabase()
  const clock = manualClock()
  const long = Array.from({ length: 299 }, (_, i) => `${i}`.padStart(4, '0').padStart(32, 'LONG-NAME-'))
  const market = fakeMarket(clock, [testProduct, ...long.map((id) => ({ ...testProduct, id }))])
  const venue = await withVenue({ database, clock, market })
  await clock.advance(1)
  tickOnce(venue)
  await runMarket(venue, 3000)
  for (let i = 0; i < 2; i++) {
    await clock.advance(90)
    market.recordGap()
  }
  await runMarket(venue, 5000)
  const size = Number((await venue.app.inject('/log/checkpoint')).payload.split('\n')[1])
  const bundle = await venue.app.inject(`/log/tile/entries/000.p/${size}`)
  expect(bundle.statusCode).toBe(200)
  const leaves = unpackEntries(bundle.rawPayload).map((entry) => parseLeaf(Buffer.from(entry).toString())!)
  const stated = leaves.flatMap(({ gaps }) => gaps)
  expect(new Set(stated.map(({ productId, from }) => `${productId} ${from}`)).size).toBe(600)
  expect(stated).toHaveLength(600)
})
