import { eq } from 'drizzle-orm'
import type { Db, DbTransaction } from './database.ts'
import { setting } from './schema.ts'

/** @returns the JSON value as it is stored, which the caller validates; undefined if there is none */
export async function readSetting(db: Db | DbTransaction, key: string): Promise<unknown> {
  const [row] = await db.select({ value: setting.value }).from(setting).where(eq(setting.key, key))
  return row?.value
}

/** Stores a JSON value unless there is one: of several nodes that store one at once, the first one's counts. */
export async function addSetting(db: Db | DbTransaction, key: string, value: unknown): Promise<void> {
  await db.insert(setting).values({ key, value }).onConflictDoNothing()
}

/** Stores a JSON value in place of the previous one. */
export async function writeSetting(db: Db | DbTransaction, key: string, value: unknown): Promise<void> {
  const set = { value }
  await db
    .insert(setting)
    .values({ key, ...set })
    .onConflictDoUpdate({ target: setting.key, set })
}
