import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { SettingsError } from '../../../server/platform/settingsError.ts'
import type { Mode } from '../../../server/platform/settings.ts'
import { assertSameCurrency, assertSameMode } from '../../../server/start/databaseMode.ts'
import { withDatabase } from '../../support/withVenue.ts'
import { testFence } from '../../support/testFence.ts'

const database = await withDatabase()
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

it('a database keeps its currency', async () => {
  await assertSameCurrency(database.db, testFence, 'USD')
  await assertSameCurrency(database.db, testFence, 'USD')
  await expect(assertSameCurrency(database.db, testFence, 'EUR')).rejects.toThrow(
    new SettingsError(
      'currency EUR of CONFIG_FILE cannot use this database: its amounts are in USD; give each currency a database of its own',
    ),
  )
})
