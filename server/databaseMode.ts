import { eq } from 'drizzle-orm'
import { SettingsError } from './config.ts'
import type { Mode } from './config.ts'
import type { Db } from './db/database.ts'
import type { Fence } from './db/fence.ts'
import { member, setting } from './db/schema/index.ts'

const modeSettingKey = 'mode'

/**
 * Fails if the database was used in the other mode: practice money would become withdrawable, or members' money could be
 * reset. The first start stores the mode. A database without one that has members is of an earlier build, none of which
 * started in live mode.
 * @throws SettingsError with one line
 */
export async function assertSameMode(db: Db, fence: Fence, mode: Mode): Promise<void> {
  const [row] = await db.select().from(setting).where(eq(setting.key, modeSettingKey))
  const members = row ? [] : await db.select({ id: member.id }).from(member).limit(1)
  const used = (row?.value as Mode | undefined) ?? (members.length > 0 ? 'practice' : mode)
  if (used !== mode) {
    throw new SettingsError(
      `MODE=${mode} cannot use this database: its accounts are of MODE=${used}; give each mode a database of its own`,
    )
  }
  if (row) return
  await fence.transaction(db, (tx) => tx.insert(setting).values({ key: modeSettingKey, value: mode }))
}
