import { minuteMs } from '../../contract/time.ts'
import { ApiError } from '../apiError.ts'
import type { Audit } from '../audit/audit.ts'
import type { Settings } from '../config.ts'
import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import type { StaffRow } from '../db/schema/staff.ts'
import { createLoginAttempts } from '../members/loginAttempts.ts'
import type { LoginRestrictions } from '../members/loginAttempts.ts'
import type { Passwords } from '../members/passwords.ts'
import type { Module } from '../module.ts'
import type { OperatorSettings } from '../operatorConfig.ts'
import type { Clock, Random } from '../ports.ts'
import type { RelyingParty } from '../secondFactor/relyingParty.ts'
import type { Secrets } from '../secrets.ts'
import { createStaffAccounts, staffNameKey } from './accounts.ts'
import type { StaffAccounts } from './accounts.ts'
import { createStaffFactors } from './factors.ts'
import type { StaffFactors } from './factors.ts'
import { createStaffLogIns, passkeyPurpose } from './logIn.ts'
import type { StaffCredentials, StaffLogIns, StaffOrigin } from './logIn.ts'
import { createStaffSessions } from './sessions.ts'
import type { StaffSessions } from './sessions.ts'

export { isNameOfVenue, toStaffView } from './accounts.ts'
export { staffIdleMs, staffSessionTtlMs } from './sessions.ts'
export type { StaffChange } from './accounts.ts'
export type { StaffOrigin } from './logIn.ts'
export type { StaffPrincipal } from './sessions.ts'

/** The staff of the back office: their accounts, log-in and sessions. The back office mounts their calls. */
export type Staff = {
  accounts: StaffAccounts
  sessions: StaffSessions
  factors: StaffFactors
  /** Throws what `StaffLogIns` does, and `RATE_LIMITED` and `LOCKED` with the wait in `retryAfterMs`. */
  logIn(credentials: StaffCredentials, from: StaffOrigin): Promise<{ sid: string }>
  beginPasskeyLogIn(party: RelyingParty): ReturnType<StaffFactors['assertion']['begin']>
  passkeyLogIn: StaffLogIns['withPasskey']
  enrol(code: string, password: string, from: StaffOrigin): Promise<{ sid: string }>
  /** Before a factor is changed. Throws `OLD_PASSWORD_WRONG`, `LOCKED`. */
  confirm(of: StaffRow, password: string, ip: string): Promise<void>
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
  secrets: Pick<Secrets, 'idempotencyKey' | 'uploadKey'>
  settings: Pick<Settings, 'rateLimits'> & OperatorSettings<'name'>
}

export function createStaff(parts: StaffParts): Staff & Module {
  const { db, clock, random, passwords } = parts
  const { idempotencyKey: secret } = parts.secrets
  const accounts = createStaffAccounts(parts)
  const sessions = createStaffSessions({ db, clock, random, secret })
  const factors = createStaffFactors({ ...parts, sessions, venueName: parts.settings.operatorConfig.name })
  const logIns = createStaffLogIns({ ...parts, accounts, sessions, factors })
  const attempt = createAttempt(parts)
  return {
    accounts,
    sessions,
    factors,
    logIn: (credentials, from) =>
      attempt(credentials.name, from.ip, 'BAD_CREDENTIALS', () => logIns.withPassword(credentials, from)),
    beginPasskeyLogIn: (party) => factors.assertion.begin(party, passkeyPurpose, null),
    passkeyLogIn: (party, answer, from) => logIns.withPasskey(party, answer, from),
    enrol: async (code, password, from) => {
      const { id } = await accounts.useEnrolment(code, password)
      return sessions.open(id, from)
    },
    confirm: ({ name, passwordHash }, password, ip) =>
      attempt(name, ip, 'OLD_PASSWORD_WRONG', async () => {
        if (!(await passwords.matches(passwordHash, password, 'known')))
          throw new ApiError('OLD_PASSWORD_WRONG')
      }),
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

/** Runs a check of a password as an attempt, which counts as failed if the check throws `wrong`. */
function createAttempt({ db, clock, settings, secrets }: StaffParts) {
  // The same counts as a member's, under a name that no member's account can have.
  const secret = secrets.idempotencyKey
  const attempts = createLoginAttempts({ db, clock, byAddress: settings.rateLimits, secret })
  return async <T>(name: string, ip: string, wrong: string, check: () => Promise<T>): Promise<T> => {
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
}

/** There is no captcha here: only this machine reaches the office by default, and guessing waits. */
async function passRestrictions({ lockedForMs, waitMs }: LoginRestrictions): Promise<true> {
  if (lockedForMs > 0) throw new ApiError('LOCKED', { params: { retryAfterMs: lockedForMs } })
  if (waitMs > 0) throw new ApiError('RATE_LIMITED', { params: { retryAfterMs: waitMs } })
  return true
}
