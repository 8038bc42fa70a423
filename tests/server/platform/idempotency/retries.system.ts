import { expect, it } from 'vitest'
import { withDatabase } from '../../../support/withVenue.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { retryKeys } from '../../../scenarios/retries.ts'
import { testSeed } from '../../../support/testSeed.ts'

const postgres = await withPostgres('retries')
const plan = { keys: 100, calls: 1000, altered: 0.1 }
const name = '1,000 requests with 100 keys, one in ten altered, have 100 effects'

/** Expects one effect for each key, and that enough requests were repeated and altered. */
async function expectOneEffectPerKey(database: Database): Promise<void> {
  const { effects, replayed, mismatched, violations } = await retryKeys(database, {
    ...plan,
    seed: testSeed(),
  })
  expect(violations).toEqual([])
  expect(effects).toBe(100)
  expect(replayed).toBeGreaterThan(400)
  expect(mismatched).toBeGreaterThan(40)
}

it(name, async () => {
  const database = await withDatabase()
  await expectOneEffectPerKey(database)
})

postgres.describe('two processes on PostgreSQL', () => {
  it(name, () => expectOneEffectPerKey(postgres.database()), 300_000)
})
