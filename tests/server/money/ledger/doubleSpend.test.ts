import { expect, it } from 'vitest'
import { raceSpends } from '../../../scenarios/doubleSpend.ts'
import { withPostgres } from '../../../support/postgres.ts'

const postgres = await withPostgres('double_spend')

postgres.describe('two processes on PostgreSQL', () => {
  // `npm run campaign S4` also has each kind alone.
  it.each(['withdrawals', 'mixed'] as const)(
    'accept exactly 50 of 100 parallel %s of 10.00 with a balance of 500.00',
    async (spend) => {
      expect(await raceSpends(postgres.database(), spend, 1)).toEqual({ tried: 1, violations: [] })
    },
  )
})
