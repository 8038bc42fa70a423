import { expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import { fuzzEvents } from '../../scenarios/safety/fuzzEvents.ts'
import { openTickingVenue } from '../../support/tickingVenue.ts'

it('a thousand socket events get only declared answers and events', async () => {
  const database = await openMemoryDatabase()
  const venue = await openTickingVenue(database)
  try {
    const { violations, sent, answered, received } = await fuzzEvents(venue, 1000, 13)
    expect(violations).toEqual([])
    expect(sent).toBeGreaterThan(1000)
    expect(answered).toBeGreaterThan(300)
    expect(received).toBeGreaterThan(100)
  } finally {
    await venue.close()
    await database.close()
  }
})
