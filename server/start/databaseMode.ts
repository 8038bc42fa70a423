import { SettingsError } from '../platform/settingsError.ts'
import type { Mode } from '../platform/settings.ts'
import type { Db } from '../platform/db/database.ts'
import type { Fence } from '../platform/db/fence.ts'
import { setting } from '../platform/db/schema.ts'
import { readSetting } from '../platform/db/settingValue.ts'

const modeSettingKey = 'mode'
const currencySettingKey = 'currency'

/**
 * Fails if the database was used in the other mode: practice money would become withdrawable, or members' money could be
 * reset. The first start stores the mode.
 * @throws SettingsError with one line
 */
export async function assertSameMode(db: Db, fence: Fence, mode: Mode): Promise<void> {
  const stored = (await readSetting(db, modeSettingKey)) as Mode | undefined
  if (stored === undefined) return storeSetting(db, fence, modeSettingKey, mode)
  if (stored === mode) return
  throw new SettingsError(
    `MODE=${mode} cannot use this database: its accounts are of MODE=${stored}; give each mode a database of its own`,
  )
}

/**
 * Fails if the database was used with another currency: every amount in it would change its worth. The first start stores
 * the currency.
 * @throws SettingsError with one line
 */
export async function assertSameCurrency(db: Db, fence: Fence, currency: string): Promise<void> {
  const stored = (await readSetting(db, currencySettingKey)) as string | undefined
  if (stored === undefined) return storeSetting(db, fence, currencySettingKey, currency)
  if (stored === currency) return
  throw new SettingsError(
    `currency ${currency} of CONFIG_FILE cannot use this database: its amounts are in ${stored}; ` +
      'give each currency a database of its own',
  )
}

const storeSetting = (db: Db, fence: Fence, key: string, value: string): Promise<void> =>
  fence.transaction(db, async (tx) => {
    await tx.insert(setting).values({ key, value })
  })
