import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { openTickingVenue } from '../../support/tickingVenue.ts'
import type { TickingVenue } from '../../support/tickingVenue.ts'

let database: Database
let venue: TickingVenue
beforeAll(async () => {
  database = await openMemoryDatabase()
  venue = await openTickingVenue(database)
}, 60_000)
afterAll(async () => {
  await venue.close()
  await database.close()
})

it('/healthz returns 503 while no prices are committed', async () => {
  const health = async (): Promise<[number, unknown]> => {
    const answer = await venue.app.inject('/healthz')
    return [answer.statusCode, answer.json()]
  }
  expect(await health()).toEqual([200, { status: 'serving' }])
  venue.clock.leap(8000)
  expect(await health()).toEqual([200, { status: 'serving' }])
  venue.clock.leap(4000)
  expect(await health()).toEqual([503, { status: 'stalled' }])
  await venue.clock.advance(1000)
  expect(await health()).toEqual([200, { status: 'serving' }])
})
