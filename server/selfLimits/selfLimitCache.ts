import { eq } from 'drizzle-orm'
import type { SelfLimitField } from '../../contract/wallet.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { memberLimit } from '../db/schema/memberLimit.ts'
import type { SelfLimit } from './change.ts'

export type SelfLimitSet = Partial<Record<SelfLimitField, SelfLimit>>

/** Members kept at a time; the one that was read first goes first. */
const cacheMax = 50_000

/** Limits as they were last set. Every order asks for them and few members have any, so they are kept in memory. */
export type SelfLimitCache = {
  /** Inside a transaction it must be given: a miss is read through it. */
  read(memberId: string, on?: Db | DbTransaction): Promise<SelfLimitSet>
  /** Past the cache, inside a transaction. */
  readUncached(tx: DbTransaction, memberId: string): Promise<SelfLimitSet>
  /** After a change was committed. */
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
      // What was changed while it was on the way must not be believed any longer.
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
