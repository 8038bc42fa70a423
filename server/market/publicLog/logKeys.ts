import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { readSetting, writeSetting } from '../../platform/db/settingValue.ts'
import type { SettingWatch } from '../../platform/settingWatch.ts'

/** By the name of each log of this database, the public key that it signed with, in hex. */
type Keys = Readonly<Record<string, string>>

const settingKey = 'log_keys'
const toKeys = (stored: unknown): Keys => (stored ?? {}) as Keys

type Parts = { db: Db; settingWatch: Pick<SettingWatch, 'follow'> }

/**
 * Which key signs for which log. A name has one permanent key: with another key the log continues under another name.
 */
export async function openLogKeys({ db, settingWatch }: Parts) {
  let keys = toKeys(await readSetting(db, settingKey))
  settingWatch.follow(settingKey, (value) => {
    keys = toKeys(value)
  })
  return {
    has: (origin: string, publicKey: string): boolean => keys[origin] === publicKey,
    /** At the leader's start: the log of this name signs with this key from now on. */
    store: async (tx: DbTransaction, origin: string, publicKey: string): Promise<void> => {
      const stored = toKeys(await readSetting(tx, settingKey))
      keys = stored[origin] === undefined ? { ...stored, [origin]: publicKey } : stored
      if (keys !== stored) await writeSetting(tx, settingKey, keys)
    },
  }
}
