import { eq } from 'drizzle-orm'
import type { Db } from './db/database.ts'
import { setting } from './db/schema/setting.ts'

const settingKey = 'last_backup'

/** The newest complete backup: when its snapshot was taken. */
export type LastBackup = { at: number }

/** Null if there was none. A restored database knows the one before the backup that it comes from. */
export async function readLastBackup(db: Db): Promise<LastBackup | null> {
  const [row] = await db.select().from(setting).where(eq(setting.key, settingKey))
  return (row?.value as LastBackup | undefined) ?? null
}

/** Written once the backup is complete. */
export async function writeLastBackup(db: Db, value: LastBackup): Promise<void> {
  await db
    .insert(setting)
    .values({ key: settingKey, value })
    .onConflictDoUpdate({ target: setting.key, set: { value } })
}
