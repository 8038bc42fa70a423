import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  openPostgresDatabase,
  openSharedDatabase,
  type Database,
} from '../../../../../server/platform/db/open.ts'
import { readFindings } from '../../../../../server/checks/nightly/findings.ts'
import { fuzzCalls } from '../../../../scenarios/safety/fuzzCalls.ts'
import { leadDatabase } from '../../../../support/ledDatabase.ts'
import { withPostgres } from '../../../../support/postgres.ts'
import { withVenue } from '../../../../support/withVenue.ts'

const postgres = await withPostgres('run_roles')

postgres.describe('a venue that works as its run roles', () => {
  let venueDatabase: Database
  let engineDatabase: Database
  beforeAll(async () => {
    const url = postgres.url()
    venueDatabase = await openPostgresDatabase({ databaseUrl: url })
    expect(await venueDatabase.useRoles()).toBe(true)
    engineDatabase = openSharedDatabase(venueDatabase.address(), () => undefined)
  })
  afterAll(async () => {
    await engineDatabase.close()
    await venueDatabase.close()
  })

  it('answers what its calls declare: no role lacks a right that a call needs', async () => {
    const fence = await leadDatabase(postgres.database())
    const venue = await withVenue({ ticking: true, database: venueDatabase, engineDatabase, fence })
    const { sent, violations, statuses } = await fuzzCalls(venue, 400, 17)
    // In a process of its own the main thread's market keeps a product's state; here it is the engine's.
    expect(violations.filter((each) => !each.includes('/desk/products/'))).toEqual([])
    expect(sent).toBe(400)
    expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(60)
    await venue.nightlyChecks.checkResults()
    await venue.nightlyChecks.checkBooks()
    const { results, books } = await readFindings(postgres.database().db)
    expect({ results: results?.differing, books: books?.differing }).toEqual({ results: 0, books: 0 })
  })
})
