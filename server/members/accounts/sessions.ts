import { timingSafeEqual } from 'node:crypto'
import { and, desc, eq, lt, ne, or } from 'drizzle-orm'
import { epochMs, type EpochMs } from '../../../contract/units.ts'
import type { MemberSession } from '../../../contract/auth.ts'
import type { SessionEvent } from '../../../contract/socket.ts'
import { retention } from '../../../contract/retention.ts'
import { minuteMs } from '../../../contract/time.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { session, type SessionRow } from '../../platform/db/schema.ts'
import type { Module } from '../../platform/module.ts'
import type { Authenticator, Clock, MemberBus, Principal, Random } from '../../platform/ports.ts'
import { isSid, newSid } from '../../platform/sid.ts'
import { sha256 } from '../../platform/keyDerivation.ts'
import { createSessionCache } from './sessionCache.ts'

/** A session ends after a day without use, and after thirty days in any case. */
const idleMs = retention.sessionUnused.ms
export const sessionTtlMs = retention.session.ms
/** The last use is written at most once a minute. */
const lastSeenIntervalMs = minuteMs

export type Device = { device: string; ip: string }
/** The secrets of a new session, known only to the browser: the cookie's id and the CSRF token for changing requests. */
export type OpenedSession = { sid: string; token: string; expiresAt: EpochMs }

export type Sessions = Authenticator & {
  /** @param on the transaction that verified the password */
  open(memberId: string, from: Device, on?: Db | DbTransaction): Promise<OpenedSession>
  /** Whose session this is, as the database has it; null if it has ended. */
  memberOf(sessionId: string): Promise<string | null>
  list(principal: Principal): Promise<MemberSession[]>
  /** Ends one session of a member and its sockets at once; false if the member has no such session. */
  end(memberId: string, sessionId: string, reason: SessionEvent['reason']): Promise<boolean>
  /**
   * Ends all sessions of a member, or all but one. The returned function ends their sockets and returns how many there
   * were; call it after the commit.
   */
  endAll(on: Db | DbTransaction, memberId: string, except?: string): Promise<() => number>
  /** Ends expired sessions with their sockets and returns how many. */
  endExpired(fence: Fence): Promise<number>
}

type Parts = {
  db: Db
  /** Used by the job. */
  fence: Fence
  clock: Clock
  random: Random
  bus: MemberBus
}

export function createSessions(parts: Parts): Sessions & Module {
  const { db, fence, clock, bus } = parts
  const cache = createSessionCache(db, clock)
  const isActive = (row: SessionRow): boolean =>
    clock.now() < Math.min(row.lastSeenAt + idleMs, row.createdAt + sessionTtlMs)
  const recordUse = async (row: SessionRow): Promise<void> => {
    const now = clock.now()
    if (now - row.lastSeenAt < lastSeenIntervalMs) return
    row.lastSeenAt = now
    await db.update(session).set({ lastSeenAt: now }).where(eq(session.id, row.id))
  }
  const onEnded = (sessionId: string, reason: SessionEvent['reason']): void => {
    cache.evict(sessionId)
    bus.endSession(sessionId, reason)
  }

  const endExpired: Sessions['endExpired'] = async (leader) => {
    const now = clock.now()
    const isExpired = or(lt(session.lastSeenAt, now - idleMs), lt(session.createdAt, now - sessionTtlMs))
    const deleted = await leader.transaction(db, (tx) =>
      tx.delete(session).where(isExpired).returning({ id: session.id }),
    )
    for (const { id } of deleted) onEnded(id, 'expired')
    return deleted.length
  }

  return {
    findBySid: async (sid) => {
      if (!isSid(sid)) return null
      const row = await cache.read(sha256(sid))
      if (!row || !isActive(row)) return null
      await recordUse(row)
      return { memberId: row.memberId, sessionId: row.id, csrfHash: row.csrfHash }
    },
    cachedSessionId: (sid) => (isSid(sid) ? cache.cachedId(sha256(sid)) : null),
    csrfMatches: (csrfHash, token) => timingSafeEqual(Buffer.from(csrfHash), Buffer.from(sha256(token))),
    open: (memberId, from, on = db) => openSession(parts, on, memberId, from),
    memberOf: async (sessionId) => {
      const [row] = await db.select().from(session).where(eq(session.id, sessionId))
      return row && isActive(row) ? row.memberId : null
    },
    list: async ({ memberId, sessionId }) => {
      const rows = await db
        .select()
        .from(session)
        .where(eq(session.memberId, memberId))
        .orderBy(desc(session.createdAt), desc(session.id))
      return rows.filter(isActive).map((row) => toMemberSession(row, sessionId))
    },
    end: async (memberId, sessionId, reason) => {
      const own = and(eq(session.id, sessionId), eq(session.memberId, memberId))
      const deleted = await db.delete(session).where(own).returning({ id: session.id })
      for (const { id } of deleted) onEnded(id, reason)
      return deleted.length > 0
    },
    endAll: async (on, memberId, except) => {
      const others = and(
        eq(session.memberId, memberId),
        except === undefined ? undefined : ne(session.id, except),
      )
      const deleted = await on.delete(session).where(others).returning({ id: session.id })
      return () => {
        for (const { id } of deleted) onEnded(id, 'revoked')
        return deleted.length
      }
    },
    endExpired,
    jobs: [{ name: 'end expired sessions', everyMs: minuteMs, run: () => endExpired(fence) }],
  }
}

async function openSession(
  { clock, random }: Pick<Parts, 'clock' | 'random'>,
  on: Db | DbTransaction,
  memberId: string,
  { device, ip }: Device,
): Promise<OpenedSession> {
  const sid = newSid(random)
  const token = newSid(random)
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
  return { sid, token, expiresAt: epochMs(now + sessionTtlMs) }
}

function toMemberSession(row: SessionRow, currentId: string): MemberSession {
  const { id, device, ip, createdAt, lastSeenAt } = row
  return {
    id,
    device,
    ip,
    createdAt: epochMs(createdAt),
    lastSeenAt: epochMs(lastSeenAt),
    current: id === currentId,
  }
}
