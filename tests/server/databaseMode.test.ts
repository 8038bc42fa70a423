import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SettingsError } from '../../server/config.ts'
import type { Mode } from '../../server/config.ts'
import { assertSameCurrency, assertSameMode } from '../../server/databaseMode.ts'
import { openMemoryDatabase } from '../../server/db/open.ts'
import type { Database } from '../../server/db/open.ts'
import { testFence } from '../support/testFence.ts'
import { openTestVenue } from '../support/testVenue.ts'

let database: Database
beforeAll(async () => {
  database = await openMemoryDatabase()
})
afterAll(() => database.close())
const start = (mode: Mode): Promise<void> => assertSameMode(database.db, testFence, mode)
const forgetMode = () => database.db.execute(sql`DELETE FROM setting WHERE key = 'mode'`)

it.each<[Mode, Mode]>([
  ['practice', 'live'],
  ['live', 'practice'],
])('a database that was first started in mode %s is refused in mode %s', async (first, second) => {
  await forgetMode()
  await start(first)
  await start(first)
  await expect(start(second)).rejects.toThrow(SettingsError)
  await expect(start(second)).rejects.toThrow(
    `MODE=${second} cannot use this database: its accounts are of MODE=${first}`,
  )
})

it('accounts of a build that stored no mode are practice accounts', async () => {
  const venue = await openTestVenue(database)
  await venue.createMember()
  await venue.close()
  await forgetMode()
  await expect(start('live')).rejects.toThrow('its accounts are of MODE=practice')
  await start('practice')
})

it('a database keeps its currency', async () => {
  await assertSameCurrency(database.db, testFence, 'USD')
  await assertSameCurrency(database.db, testFence, 'USD')
  await expect(assertSameCurrency(database.db, testFence, 'EUR')).rejects.toThrow(
    new SettingsError(
      'currency EUR of CONFIG_FILE cannot use this database: its amounts are in USD; give each currency a database of its own',
    ),
  )
})
