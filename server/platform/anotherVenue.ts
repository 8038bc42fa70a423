import { inArray } from 'drizzle-orm'
import type { Db, DbTransaction } from './db/database.ts'
import { setting } from './db/schema.ts'
import { forgetLogKey } from './secrets.ts'

/**
 * For a database that went back to an earlier state, as from a backup. Beside the original, on the same bus, neither may
 * take the other's messages for its own; it may get another desk key. Its public log gets another name and may get another
 * key: under the name of the original, which went on after that state, it would sign another tree of the same size.
 */
export async function becomeAnotherVenue(db: Db | DbTransaction): Promise<void> {
  await db.delete(setting).where(inArray(setting.key, ['venue_id', 'desk_key_check']))
  await forgetLogKey(db)
}
