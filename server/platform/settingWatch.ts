import { inArray } from 'drizzle-orm'
import type { Db } from './db/database.ts'
import { setting } from './db/schema.ts'
import { rereadJobs } from './jobs.ts'
import type { Core, Module } from './module.ts'

/**
 * Settings that nodes change while they run and have in memory. If there are other nodes, they are read again every
 * second, all with one statement.
 */
export type SettingWatch = {
  /** @param onValue receives the stored value (undefined if there is none) after each reading, changed or not */
  follow(key: string, onValue: (value: unknown) => void): void
  /** Call after a change is committed: readings that began before it are not used. */
  onStored(): void
}

export function createSettingWatch({
  db,
  cluster,
}: Pick<Core, 'cluster'> & { db: Db }): SettingWatch & Module {
  const followers = new Map<string, (value: unknown) => void>()
  let changes = 0
  const reread = async (): Promise<void> => {
    const before = changes
    const rows = await db
      .select({ key: setting.key, value: setting.value })
      .from(setting)
      .where(inArray(setting.key, [...followers.keys()]))
    if (changes !== before) return
    const values = new Map(rows.map(({ key, value }) => [key, value]))
    for (const [key, onValue] of followers) onValue(values.get(key))
  }
  return {
    follow: (key, onValue) => void followers.set(key, onValue),
    onStored: () => {
      changes += 1
    },
    jobs: rereadJobs(cluster, 'read settings again', reread),
  }
}
