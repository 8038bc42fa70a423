import { eq, sql } from 'drizzle-orm'
import type { SelfLimitField } from '../../../contract/selfLimits.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { memberLimit } from '../schema.ts'
import { setting } from '../../platform/db/schema.ts'
import type { SettingWatch } from '../../platform/settingWatch.ts'
import type { SelfLimit } from './change.ts'

export type SelfLimitSet = Partial<Record<SelfLimitField, SelfLimit>>

/** Members in the cache; the one cached first is dropped first. */
const cacheMax = 50_000
/** The setting that counts the changes of all members' limits, so that each node notices those made at others. */
const versionKey = 'self_limits_version'

/**
 * The limits for checking stakes early: every order reads them and few members have any, so they are cached. A change by
 * another node empties the cache within a second.
 */
export type SelfLimitCache = {
  read(memberId: string): Promise<SelfLimitSet>
  /** Reads past the cache: limits that hold at once, whichever node they were set at. */
  readUncached(on: Db | DbTransaction, memberId: string): Promise<SelfLimitSet>
  /** Counts a change, in its transaction. */
  countChange(tx: DbTransaction): Promise<void>
  /** Call after a change is committed. */
  evict(memberId: string): void
}

export function createSelfLimitCache(db: Db, settingWatch: SettingWatch): SelfLimitCache {
  const cache = new Map<string, SelfLimitSet>()
  let changes = 0
  let version: unknown
  settingWatch.follow(versionKey, (stored) => {
    if (stored === version) return
    version = stored
    changes += 1
    cache.clear()
  })
  return {
    read: async (memberId) => {
      const cached = cache.get(memberId)
      if (cached) return cached
      const before = changes
      const set = await load(db, memberId)
      // The limits may have changed while they were being read, so they are not cached.
      if (changes !== before) return set
      const [oldest] = cache.keys()
      if (cache.size >= cacheMax && oldest !== undefined) cache.delete(oldest)
      cache.set(memberId, set)
      return set
    },
    readUncached: load,
    countChange: async (tx) => {
      const value = sql`to_jsonb(${setting.value}::bigint + 1)`
      await tx
        .insert(setting)
        .values({ key: versionKey, value: 1 })
        .onConflictDoUpdate({ target: setting.key, set: { value } })
    },
    evict: (memberId) => {
      changes += 1
      cache.delete(memberId)
    },
  }
}

async function load(on: Db | DbTransaction, memberId: string): Promise<SelfLimitSet> {
  const rows = await on.select().from(memberLimit).where(eq(memberLimit.memberId, memberId))
  return Object.fromEntries(
    rows.map(({ field, value, nextValue, nextAt }) => {
      const limit: SelfLimit = { value, next: nextAt === null ? null : { value: nextValue, at: nextAt } }
      return [field, limit]
    }),
  )
}
