import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BusinessDay } from '../../../contract/time.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { fundRate } from '../../../server/db/schema/fund.ts'
import { createRates } from '../../../server/fund/rates.ts'

let database: Database
beforeAll(async () => {
  database = await openMemoryDatabase()
})
afterAll(() => database.close())

it('a rate whose transaction was rolled back is recorded by the next one', async () => {
  const { db } = database
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
