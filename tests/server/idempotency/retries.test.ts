import { expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/memory.ts'
import { withPostgres } from '../../support/postgres.ts'
import { retryKeys } from '../../scenarios/retries.ts'
import { testSeed } from '../../support/testSeed.ts'

const postgres = await withPostgres('retries')
const plan = { keys: 100, calls: 1000, altered: 0.1 }
const name = '1,000 requests with 100 keys, one in ten altered, have 100 effects'

it(
  name,
  async () => {
    const database = await openMemoryDatabase()
    expect(await retryKeys(database, { ...plan, seed: testSeed() })).toMatchObject({
      effects: 100,
      violations: [],
    })
    await database.close()
  },
  300_000,
)

postgres.describe('two processes on PostgreSQL', () => {
  it(
    name,
    async () => {
      expect(await retryKeys(postgres.database(), { ...plan, seed: testSeed() })).toMatchObject({
        effects: 100,
        violations: [],
      })
    },
    300_000,
  )
})
