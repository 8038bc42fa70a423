import { eq } from 'drizzle-orm'
import type { SelfLimitField } from '../../contract/selfLimits.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { memberLimit } from '../db/schema/memberLimit.ts'
import type { SelfLimit } from './change.ts'

export type SelfLimitSet = Partial<Record<SelfLimitField, SelfLimit>>

/** Members in the cache; the one cached first is dropped first. */
const cacheMax = 50_000

/** The current limits. Every order reads them and few members have any, so they are cached. */
export type SelfLimitCache = {
  /** @param on required inside a transaction: a miss is read through it */
  read(memberId: string, on?: Db | DbTransaction): Promise<SelfLimitSet>
  /** Reads past the cache, inside a transaction. */
  readUncached(tx: DbTransaction, memberId: string): Promise<SelfLimitSet>
  /** Call after a change is committed. */
  evict(memberId: string): void
}

export function createSelfLimitCache(db: Db): SelfLimitCache {
  const cache = new Map<string, SelfLimitSet>()
  let changes = 0
  return {
    read: async (memberId, on = db) => {
      const cached = cache.get(memberId)
      if (cached) return cached
      const before = changes
      const set = await load(on, memberId)
      // The limits may have changed while they were being read, so they are not cached.
      if (changes !== before) return set
      const [oldest] = cache.keys()
      if (cache.size >= cacheMax && oldest !== undefined) cache.delete(oldest)
      cache.set(memberId, set)
      return set
    },
    readUncached: load,
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
