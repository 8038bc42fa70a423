import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/memory.ts'
import { withPostgres } from '../../support/postgres.ts'
import { retryKeys } from '../../support/retries.ts'

const postgres = await withPostgres('retries')
// `SEED=…` sends the same calls again in the same order.
const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))
const plan = { keys: 100, calls: 1000, altered: 0.1, seed }
const name = `1,000 calls under 100 keys, one in ten altered: 100 effects (seed ${seed})`

it(
  name,
  async () => {
    const database = await openMemoryDatabase()
    expect(await retryKeys(database, plan)).toMatchObject({ effects: 100, violations: [] })
    await database.close()
  },
  300_000,
)

postgres.describe('through two processes on PostgreSQL', () => {
  it(
    name,
    async () => {
      expect(await retryKeys(postgres.database(), plan)).toMatchObject({ effects: 100, violations: [] })
    },
    300_000,
  )
})
