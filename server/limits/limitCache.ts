import { eq } from 'drizzle-orm'
import type { LimitField } from '../../contract/wallet.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { memberLimit } from '../db/schema/limits.ts'
import type { Limit } from './change.ts'

export type LimitSet = Partial<Record<LimitField, Limit>>

/** Members kept at a time; the one that was read first goes first. */
const keptMax = 50_000

/** Limits as they were last set. Every order asks for them and few members have any, so they are kept in memory. */
export type LimitCache = {
  /** Inside a transaction it must be given: a miss is read through it. */
  read(memberId: string, on?: Db | DbTransaction): Promise<LimitSet>
  /** Past the cache, inside a transaction. */
  readIn(tx: DbTransaction, memberId: string): Promise<LimitSet>
  /** After a change was committed. */
  forget(memberId: string): void
}

export function createLimitCache(db: Db): LimitCache {
  const kept = new Map<string, LimitSet>()
  let changes = 0
  return {
    read: async (memberId, on = db) => {
      const known = kept.get(memberId)
      if (known) return known
      const before = changes
      const set = await load(on, memberId)
      // What was changed while it was on the way must not be believed any longer.
      if (changes !== before) return set
      const [oldest] = kept.keys()
      if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest)
      kept.set(memberId, set)
      return set
    },
    readIn: load,
    forget: (memberId) => {
      changes += 1
      kept.delete(memberId)
    },
  }
}

async function load(on: Db | DbTransaction, memberId: string): Promise<LimitSet> {
  const rows = await on.select().from(memberLimit).where(eq(memberLimit.memberId, memberId))
  return Object.fromEntries(
    rows.map(({ field, value, nextValue, nextAt }) => {
      const limit: Limit = { value, next: nextAt === null ? null : { value: nextValue, at: nextAt } }
      return [field, limit]
    }),
  )
}
