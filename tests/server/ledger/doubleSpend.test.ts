import { expect, it } from 'vitest'
import { spendKinds, raceSpends } from '../../support/doubleSpend.ts'
import { withPostgres } from '../../support/postgres.ts'

const postgres = await withPostgres('double_spend')

postgres.describe('no double spend on PostgreSQL, through two processes', () => {
  it.each(spendKinds)(
    '100 parallel %s of 10.00 on 500.00: exactly 50',
    async (spend) => {
      expect(await raceSpends(postgres.database(), spend, 3)).toEqual({ tried: 3, violations: [] })
    },
    300_000,
  )
})
