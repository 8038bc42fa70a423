import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, eq, lt, ne, or, sql } from 'drizzle-orm'
import { hourMs, minuteMs, secondMs } from '../../../contract/time.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import type { ActLog } from '../../notices/index.ts'
import { endClaimsOf } from './endClaims.ts'
import { staff, staffPasskey, staffSession, staffTotp, type StaffRow } from '../schema.ts'
import { deriveKey, sha256 } from '../../platform/keyDerivation.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { isSid, newSid } from '../../platform/sid.ts'

/** An unattended desk shows members' data, so a session ends soon without use, and after a shift in any case. */
export const staffIdleMs = 30 * minuteMs
export const staffSessionTtlMs = 12 * hourMs
const useIntervalMs = 30 * secondMs

/** A live session and whose it is, as both are now. */
export type StaffPrincipal = {
  sessionId: string
  sid: string
  staff: StaffRow
  expiresAt: number
  hasSecondFactor: boolean
}
export type StaffSessions = {
  /** @param isUse whether this request keeps the session alive */
  find(sid: string, isUse: boolean): Promise<StaffPrincipal | null>
  open(
    staffId: string,
    from: { device: string; ip: string },
    on?: Db | DbTransaction,
  ): Promise<{ sid: string }>
  /** By its person, who logs out: with a row of the act log. The person's claims end too. */
  end(principal: Pick<StaffPrincipal, 'sessionId' | 'staff'>): Promise<void>
  /** In the transaction of the change of a factor or the password. */
  endOthers(staffId: string, sessionId: string, tx: DbTransaction): Promise<void>
  /** The token that changing requests of a session carry. It is derived, so a page that was reloaded gets it again. */
  csrfToken(sid: string): string
  csrfMatches(sid: string, token: string): boolean
  endExpired(fence: Fence): Promise<number>
}

/** Whether the row's person has a second factor. */
const ownsFactor = sql<boolean>`(
  EXISTS (SELECT FROM ${staffTotp} WHERE ${staffTotp.ownerId} = ${staff.id})
  OR EXISTS (SELECT FROM ${staffPasskey} WHERE ${staffPasskey.ownerId} = ${staff.id}))`

type Parts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  secret: Uint8Array
  actLog: Pick<ActLog, 'write'>
}

export function createStaffSessions({ db, clock, random, secret, actLog }: Parts): StaffSessions {
  const csrfKey = deriveKey(secret, 'staff csrf')
  const csrfToken = (sid: string): string => createHmac('sha256', csrfKey).update(sid).digest('base64url')
  return {
    find: async (sid, isUse) => {
      if (!isSid(sid)) return null
      const [found] = await db
        .select({ session: staffSession, staff, hasSecondFactor: ownsFactor })
        .from(staffSession)
        .innerJoin(staff, eq(staff.id, staffSession.staffId))
        .where(and(eq(staffSession.sidHash, sha256(sid)), eq(staff.status, 'active')))
      const now = clock.now()
      if (!found) return null
      const { session } = found
      if (now >= Math.min(session.lastSeenAt + staffIdleMs, session.createdAt + staffSessionTtlMs))
        return null
      if (isUse && now - session.lastSeenAt >= useIntervalMs) {
        await db.update(staffSession).set({ lastSeenAt: now }).where(eq(staffSession.id, session.id))
        await db.update(staff).set({ lastSeenAt: now }).where(eq(staff.id, found.staff.id))
      }
      const expiresAt = session.createdAt + staffSessionTtlMs
      const { staff: row, hasSecondFactor } = found
      return { sessionId: session.id, sid, staff: row, expiresAt, hasSecondFactor }
    },
    open: async (staffId, { device, ip }, on = db) => {
      const sid = newSid(random)
      const now = clock.now()
      const id = random.uuid()
      const row = { id, staffId, sidHash: sha256(sid), device, ip, createdAt: now, lastSeenAt: now }
      await on.insert(staffSession).values(row)
      await on.update(staff).set({ lastSeenAt: now }).where(eq(staff.id, staffId))
      return { sid }
    },
    end: ({ sessionId, staff: { id, name } }) =>
      db.transaction(async (tx) => {
        await tx.delete(staffSession).where(eq(staffSession.id, sessionId))
        await endClaimsOf(tx, name, clock.now())
        await actLog.write(tx, { actor: name, act: 'log-out', subject: { kind: 'staff', id } })
      }),
    endOthers: async (staffId, sessionId, tx) => {
      await tx
        .delete(staffSession)
        .where(and(eq(staffSession.staffId, staffId), ne(staffSession.id, sessionId)))
    },
    csrfToken,
    csrfMatches: (sid, token) => {
      const own = Buffer.from(sha256(csrfToken(sid)))
      return timingSafeEqual(own, Buffer.from(sha256(token)))
    },
    endExpired: async (fence) => {
      const now = clock.now()
      const isExpired = or(
        lt(staffSession.lastSeenAt, now - staffIdleMs),
        lt(staffSession.createdAt, now - staffSessionTtlMs),
      )
      const deleted = await fence.transaction(db, (tx) => tx.delete(staffSession).where(isExpired))
      return deleted.rowCount ?? 0
    },
  }
}
