import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { badFiles, sendBadFiles, sendCorrupted } from '../../scenarios/safety/badFiles.ts'
import { testSeed } from '../../support/testSeed.ts'
import { openTestVenue } from '../../support/testVenue.ts'
import type { TestVenue } from '../../support/testVenue.ts'

let database: Database
let venue: TestVenue
beforeAll(async () => {
  database = await openMemoryDatabase()
  venue = await openTestVenue(database)
})
afterAll(async () => {
  await venue.close()
  await database.close()
})

it.each(badFiles.map((file) => [file.name, file] as const))(
  '%s is rejected without leaving a file, or encoded again and encrypted',
  async (_name, file) => {
    expect(await sendBadFiles(venue, [file])).toMatchObject({ tried: 1, violations: [] })
  },
)

it('damaged pictures are rejected or encoded again', async () => {
  expect(await sendCorrupted(venue, 30, testSeed())).toMatchObject({ tried: 30, violations: [] })
})
