import { expect, it } from 'vitest'
import { withDatabase } from '../../../support/withVenue.ts'
import { runFundYear } from '../../../scenarios/fundYear.ts'
import { testSeed } from '../../../support/testSeed.ts'

// Up to the holidays of the new year; the campaign (S5) runs whole years.
it('two months of transfers, weekends, holidays and pauses is what the oracle says', async () => {
  const database = await withDatabase()
  const { days, calls, earned } = await runFundYear(database, testSeed(), 60)
  expect(days).toBeGreaterThanOrEqual(60)
  expect(calls).toBeGreaterThan(15)
  expect(earned).not.toBe('0.00')
})
