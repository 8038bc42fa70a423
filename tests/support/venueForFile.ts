import { afterAll } from 'vitest'
import { openMemoryDatabase } from '../../server/db/memory.ts'
import { openTestVenue } from './testVenue.ts'

/** A test venue on its own database for the tests of one file; it closes after the last of them. */
export async function openVenueForFile() {
  const database = await openMemoryDatabase()
  const venue = await openTestVenue(database)
  afterAll(async () => {
    await venue.close()
    await database.close()
  })
  return venue
}
