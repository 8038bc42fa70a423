import { expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/memory.ts'
import { runFundYear } from '../../scenarios/fundYear.ts'
import { testSeed } from '../../support/testSeed.ts'

it('a year of transfers, weekends, holidays and pauses is what the oracle says', async () => {
  const database = await openMemoryDatabase()
  const { days, calls, earned } = await runFundYear(database, testSeed())
  await database.close()
  expect(days).toBeGreaterThanOrEqual(365)
  expect(calls).toBeGreaterThan(150)
  expect(earned).not.toBe('0.00')
}, 300_000)
