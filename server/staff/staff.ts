import { and, eq } from 'drizzle-orm'
import { minuteMs } from '../../contract/time.ts'
import { ApiError } from '../apiError.ts'
import type { Audit } from '../audit/audit.ts'
import type { Settings } from '../config.ts'
import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { staff } from '../db/schema/staff.ts'
import type { StaffRow } from '../db/schema/staff.ts'
import { createLoginAttempts } from '../members/loginAttempts.ts'
import type { LoginRestrictions } from '../members/loginAttempts.ts'
import type { Passwords } from '../members/passwords.ts'
import type { Module } from '../module.ts'
import type { Clock, Random } from '../ports.ts'
import type { Secrets } from '../secrets.ts'
import { createStaffAccounts, staffNameKey } from './accounts.ts'
import type { StaffAccounts } from './accounts.ts'
import { createStaffSessions } from './sessions.ts'
import type { StaffSessions } from './sessions.ts'

export { toStaffView } from './accounts.ts'
export { staffIdleMs, staffSessionTtlMs } from './sessions.ts'
export type { StaffChange } from './accounts.ts'
export type { StaffPrincipal } from './sessions.ts'

export type StaffOrigin = { device: string; ip: string }
/** The staff of the back office: their accounts, log-in and sessions. The back office mounts their calls. */
export type Staff = {
  accounts: StaffAccounts
  sessions: StaffSessions
  /** Throws `LOCKED` and `RATE_LIMITED` with the wait in `retryAfterMs`, and `BAD_CREDENTIALS`. */
  logIn(name: string, password: string, from: StaffOrigin): Promise<{ sid: string }>
  enrol(code: string, password: string, from: StaffOrigin): Promise<{ sid: string }>
  /** Throws `LOCKED` after too many wrong old passwords. */
  changePassword(of: StaffRow, passwords: { old: string; new: string }, ip: string): Promise<void>
}

export type StaffParts = {
  db: Db
  /** Used by the job. */
  fence: Fence
  clock: Clock
  random: Random
  passwords: Passwords
  audit: Pick<Audit, 'write'>
  secrets: Pick<Secrets, 'idempotencyKey'>
  settings: Pick<Settings, 'rateLimits'>
}

export function createStaff(parts: StaffParts): Staff & Module {
  const { db, clock, random, passwords, audit } = parts
  const { idempotencyKey: secret } = parts.secrets
  const accounts = createStaffAccounts(parts)
  const sessions = createStaffSessions({ db, clock, random, secret })
  // The same counts as a member's, under a name that no member's account can have.
  const attempts = createLoginAttempts({ db, clock, byAddress: parts.settings.rateLimits, secret })
  /** Runs a check of a password as an attempt, which counts as failed if the check throws `wrong`. */
  const attempt = async <T>(name: string, ip: string, wrong: string, check: () => Promise<T>): Promise<T> => {
    const account = `staff ${staffNameKey(name)}`
    const begun = await attempts.begin({ account, ip, device: null }, passRestrictions)
    try {
      const result = await check()
      await begun?.succeeded()
      return result
    } catch (error) {
      if (!(error instanceof ApiError && error.code === wrong)) await begun?.discard()
      throw error
    }
  }
  return {
    accounts,
    sessions,
    logIn: (name, password, from) =>
      attempt(name, from.ip, 'BAD_CREDENTIALS', async () => {
        const row = await accounts.byName(name)
        const stored = row?.status === 'active' ? row.passwordHash : null
        if (!(await passwords.matches(stored, password, 'unknown')) || !row)
          throw new ApiError('BAD_CREDENTIALS')
        return db.transaction(async (tx) => {
          // Locked and compared: the password may have changed while it was checked.
          const isUnchanged = and(eq(staff.id, row.id), eq(staff.version, row.version))
          const [unchanged] = await tx.select({ id: staff.id }).from(staff).where(isUnchanged).for('update')
          if (!unchanged) throw new ApiError('BAD_CREDENTIALS')
          const opened = await sessions.open(row.id, from, tx)
          await audit.write(tx, { actor: row.name, act: 'log-in', subject: { kind: 'staff', id: row.id } })
          return opened
        })
      }),
    enrol: async (code, password, from) => {
      const { id } = await accounts.useEnrolment(code, password)
      return sessions.open(id, from)
    },
    changePassword: ({ id, name }, { old, new: changed }, ip) =>
      attempt(name, ip, 'OLD_PASSWORD_WRONG', () => accounts.changePassword(id, old, changed)),
    jobs: [
      {
        name: 'end expired staff sessions',
        everyMs: minuteMs,
        run: () => sessions.endExpired(parts.fence),
      },
    ],
  }
}

/** There is no captcha here: only this machine reaches the office by default, and guessing waits. */
async function passRestrictions({ lockedForMs, waitMs }: LoginRestrictions): Promise<true> {
  if (lockedForMs > 0) throw new ApiError('LOCKED', { params: { retryAfterMs: lockedForMs } })
  if (waitMs > 0) throw new ApiError('RATE_LIMITED', { params: { retryAfterMs: waitMs } })
  return true
}
