import { expect, it } from 'vitest'
import type { BusinessDay } from '../../../../contract/time.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { fundRate } from '../../../../server/money/schema.ts'
import { createRates } from '../../../../server/money/fund/rates.ts'

const database = await withDatabase()

it('a rate whose transaction was rolled back is recorded by the next one', async () => {
  const { db } = database
  const published = JSON.stringify({ from: { '2026-01-01': 12 }, cycle: [] })
  await database.pool.query(`INSERT INTO operator_setting VALUES ('fund_rates', 0, $1)`, [published])
  const rates = createRates(() => 12)
  const day = '2026-01-05' as BusinessDay
  const record = db.transaction(async (tx) => {
    expect(await rates.recorded(tx, day)).toBe(12)
    expect(await rates.until(tx, day, 1)).toEqual([12])
    throw new Error('rolled back')
  })
  await expect(record).rejects.toThrow('rolled back')
  await db.transaction((tx) => rates.recorded(tx, day))
  expect(await db.select().from(fundRate)).toEqual([{ onDay: day, per10k: 12 }])
})
