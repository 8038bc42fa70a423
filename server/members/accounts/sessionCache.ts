import { inArray } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { session, type SessionRow } from '../../platform/db/schema.ts'
import type { Clock } from '../../platform/ports.ts'

/** How long a session is served from the cache: a logout on another node takes effect within this time. */
const cacheTtlMs = 1000
const cacheMax = 10_000
/** Cookies looked up by one statement. */
const lookupBatchSize = 200

/** Sessions by the hash of their cookie, from memory if they were read less than a second ago. */
export type SessionCache = {
  read(sidHash: string): Promise<SessionRow | null>
  /** The id of the session as of its last lookup, from memory only; null if it is not cached. */
  cachedId(sidHash: string): string | null
  /** Call it when a session has ended. */
  evict(sessionId: string): void
}

export function createSessionCache(db: Db, clock: Pick<Clock, 'now'>): SessionCache {
  const cache = new Map<string, { row: SessionRow; readAt: number }>()
  const findRow = createBatchedLookup(db)
  let endedCount = 0
  return {
    read: async (sidHash) => {
      const cached = cache.get(sidHash)
      if (cached && clock.now() - cached.readAt < cacheTtlMs) return cached.row
      const before = endedCount
      // Before the read: the row may change while it is on its way.
      const readAt = clock.now()
      const row = await findRow(sidHash)
      cache.delete(sidHash)
      if (!row) return null
      // The session may have ended while its row was being read, so the row is not cached.
      if (endedCount !== before) return row
      const [oldest] = cache.keys()
      if (cache.size >= cacheMax && oldest !== undefined) cache.delete(oldest)
      cache.set(sidHash, { row, readAt })
      return row
    },
    cachedId: (sidHash) => cache.get(sidHash)?.row.id ?? null,
    evict: (sessionId) => {
      endedCount += 1
      for (const [sidHash, { row }] of cache) if (row.id === sessionId) cache.delete(sidHash)
    },
  }
}

/**
 * Reads session rows with one statement in flight at a time: lookups that arrive meanwhile go into the next one. So a
 * flood of unknown cookies costs one statement per {@link lookupBatchSize}, not one each.
 */
function createBatchedLookup(db: Db): (sidHash: string) => Promise<SessionRow | null> {
  type PendingLookup = { resolve: (row: SessionRow | null) => void; reject: (error: unknown) => void }
  let waiting = new Map<string, PendingLookup[]>()
  let running = false
  const readBatch = async (batch: ReadonlyMap<string, readonly PendingLookup[]>): Promise<void> => {
    try {
      const rows = await db
        .select()
        .from(session)
        .where(inArray(session.sidHash, [...batch.keys()]))
      const rowBySidHash = new Map(rows.map((row) => [row.sidHash, row]))
      for (const [sidHash, lookups] of batch)
        for (const { resolve } of lookups) resolve(rowBySidHash.get(sidHash) ?? null)
    } catch (error) {
      for (const lookups of batch.values()) for (const { reject } of lookups) reject(error)
    }
  }
  const run = async (): Promise<void> => {
    running = true
    while (waiting.size > 0) {
      const all = [...waiting]
      waiting = new Map(all.slice(lookupBatchSize))
      await readBatch(new Map(all.slice(0, lookupBatchSize)))
    }
    running = false
  }
  return (sidHash) =>
    new Promise((resolve, reject) => {
      const lookups = waiting.get(sidHash)
      if (lookups) lookups.push({ resolve, reject })
      else waiting.set(sidHash, [{ resolve, reject }])
      if (!running) void run()
    })
}
