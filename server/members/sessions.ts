import { timingSafeEqual } from 'node:crypto'
import { and, desc, eq, inArray, lt, or } from 'drizzle-orm'
import type { MemberSession } from '../../contract/auth.ts'
import type { SessionEvent } from '../../contract/socket.ts'
import { dayMs } from '../../contract/time.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { session } from '../db/schema/member.ts'
import type { SessionRow } from '../db/schema/member.ts'
import type { Authenticator, Clock, MemberBus, Principal, Random } from '../ports.ts'
import { sha256 } from './keyDerivation.ts'

/** A session ends after a day without use, and after thirty days in any case. */
const idleMs = dayMs
export const sessionTtlMs = 30 * idleMs
/** The last use is written at most once a minute. */
const lastSeenIntervalMs = 60_000
/** How long a session is served from the cache: a log-out on another node takes effect within this time. */
const cacheTtlMs = 1000
const cacheMax = 10_000
const idBytes = 32
/** {@link idBytes} in base64url: nothing else can be one of our cookies. */
const sidPattern = /^[\w-]{43}$/
/** Cookies looked up by one statement. */
const lookupBatchSize = 200

export type Device = { device: string; ip: string }
/** The secrets of a new session, known only to the browser: the cookie's id and the CSRF token for changing requests. */
export type OpenedSession = { sid: string; token: string; expiresAt: number }

export type Sessions = Authenticator & {
  /** @param on the transaction that verified the password */
  open(memberId: string, from: Device, on?: Db | DbTransaction): Promise<OpenedSession>
  list(principal: Principal): Promise<MemberSession[]>
  /** Ends one session of a member and its sockets at once; false if the member has no such session. */
  end(memberId: string, sessionId: string, reason: SessionEvent['reason']): Promise<boolean>
  /** Ends expired sessions with their sockets and returns how many. */
  endExpired(fence: Fence): Promise<number>
}

type Parts = { db: Db; clock: Clock; random: Random; bus: MemberBus }
type CachedSession = { row: SessionRow; readAt: number }

export function createSessions({ db, clock, random, bus }: Parts): Sessions {
  const cache = new Map<string, CachedSession>()
  const newSecret = (): string => Buffer.from(random.bytes(idBytes)).toString('base64url')
  let endedCount = 0
  const evict = (sessionId: string): void => {
    endedCount += 1
    for (const [sidHash, { row }] of cache) if (row.id === sessionId) cache.delete(sidHash)
  }
  const isActive = (row: SessionRow): boolean =>
    clock.now() < Math.min(row.lastSeenAt + idleMs, row.createdAt + sessionTtlMs)

  const findRow = createBatchedLookup(db)
  const read = async (sidHash: string): Promise<SessionRow | null> => {
    const cached = cache.get(sidHash)
    if (cached && clock.now() - cached.readAt < cacheTtlMs) return cached.row
    const before = endedCount
    const row = await findRow(sidHash)
    cache.delete(sidHash)
    if (!row) return null
    // The session may have ended while its row was being read, so the row is not cached.
    if (endedCount !== before) return row
    const [oldest] = cache.keys()
    if (cache.size >= cacheMax && oldest !== undefined) cache.delete(oldest)
    cache.set(sidHash, { row, readAt: clock.now() })
    return row
  }
  const recordUse = async (row: SessionRow): Promise<void> => {
    const now = clock.now()
    if (now - row.lastSeenAt < lastSeenIntervalMs) return
    row.lastSeenAt = now
    await db.update(session).set({ lastSeenAt: now }).where(eq(session.id, row.id))
  }
  const onEnded = (sessionId: string, reason: SessionEvent['reason']): void => {
    evict(sessionId)
    bus.endSession(sessionId, reason)
  }

  return {
    findBySid: async (sid) => {
      if (!sidPattern.test(sid)) return null
      const row = await read(sha256(sid))
      if (!row || !isActive(row)) return null
      await recordUse(row)
      return { memberId: row.memberId, sessionId: row.id, csrfHash: row.csrfHash }
    },
    cachedSessionId: (sid) => (sidPattern.test(sid) ? (cache.get(sha256(sid))?.row.id ?? null) : null),
    csrfMatches: (csrfHash, token) => timingSafeEqual(Buffer.from(csrfHash), Buffer.from(sha256(token))),
    open: async (memberId, { device, ip }, on = db) => {
      const sid = newSecret()
      const token = newSecret()
      const now = clock.now()
      await on.insert(session).values({
        id: random.uuid(),
        memberId,
        sidHash: sha256(sid),
        csrfHash: sha256(token),
        device,
        ip,
        createdAt: now,
        lastSeenAt: now,
      })
      return { sid, token, expiresAt: now + sessionTtlMs }
    },
    list: async ({ memberId, sessionId }) => {
      const rows = await db
        .select()
        .from(session)
        .where(eq(session.memberId, memberId))
        .orderBy(desc(session.createdAt), desc(session.id))
      return rows.filter(isActive).map(({ id, device, ip, createdAt, lastSeenAt }) => {
        return { id, device, ip, createdAt, lastSeenAt, current: id === sessionId }
      })
    },
    end: async (memberId, sessionId, reason) => {
      const deleted = await db
        .delete(session)
        .where(and(eq(session.id, sessionId), eq(session.memberId, memberId)))
        .returning({ id: session.id })
      for (const { id } of deleted) onEnded(id, reason)
      return deleted.length > 0
    },
    endExpired: async (fence) => {
      const now = clock.now()
      const isExpired = or(lt(session.lastSeenAt, now - idleMs), lt(session.createdAt, now - sessionTtlMs))
      const deleted = await fence.transaction(db, (tx) =>
        tx.delete(session).where(isExpired).returning({ id: session.id }),
      )
      for (const { id } of deleted) onEnded(id, 'expired')
      return deleted.length
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
