import type { Db } from './db/database.ts'
import { readSetting, writeSetting } from './db/settingValue.ts'

const settingKey = 'last_backup'

/** The newest complete backup: when its snapshot was taken. */
export type LastBackup = { at: number }

/** Null if there was none. A restored database has the entry before the backup from which it was restored. */
export async function readLastBackup(db: Db): Promise<LastBackup | null> {
  return ((await readSetting(db, settingKey)) as LastBackup | undefined) ?? null
}

/** Written once the backup is complete. */
export const writeLastBackup = (db: Db, value: LastBackup): Promise<void> =>
  writeSetting(db, settingKey, value)
