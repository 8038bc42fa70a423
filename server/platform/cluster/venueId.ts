import { randomUUID } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { addSetting, readSetting } from '../db/settingValue.ts'

const settingKey = 'venue_id'

/** The id that this database's venue has on the bus, so that venues can share a server. The first node draws it. */
export async function readVenueId(db: Db): Promise<string> {
  await addSetting(db, settingKey, randomUUID())
  const id = await readSetting(db, settingKey)
  if (typeof id !== 'string') throw new Error('the venue has no id')
  return id
}
