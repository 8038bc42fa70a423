import { afterAll } from 'vitest'
import { openMemoryDatabase } from '../../server/db/memory.ts'
import { openTestVenue } from './testVenue.ts'
import type { TestVenueOptions } from './testVenue.ts'

/** A test venue on its own database for the tests of one file; it closes after the last of them. */
export async function openVenueForFile(options: TestVenueOptions = {}) {
  const database = await openMemoryDatabase()
  const venue = await openTestVenue(database, options)
  afterAll(async () => {
    await venue.close()
    await database.close()
  })
  return venue
}
