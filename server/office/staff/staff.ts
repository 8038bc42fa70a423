import { hourMs, minuteMs } from '../../../contract/time.ts'
import type { WorkAnswer } from '../../../contract/work.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import {
  createKnownDevices,
  createLoginAttempts,
  type Passwords,
  createWorkChallenges,
} from '../../members/index.ts'
import type { Module } from '../../platform/module.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import type { RelyingParty } from '../../platform/http/relyingParty.ts'
import type { Secrets } from '../../platform/secrets.ts'
import {
  createStaffAccounts,
  type NewPassword,
  staffDeviceOwner,
  staffNameKey,
  type StaffAccounts,
} from './accounts.ts'
import { createStaffFactors, type StaffFactors } from './factors.ts'
import {
  createStaffLogIns,
  passkeyPurpose,
  type OpenedStaffSession,
  type StaffCredentials,
  type StaffLogIns,
  type StaffOrigin,
} from './logIn.ts'
import { createStaffSessions, type StaffPrincipal, type StaffSessions } from './sessions.ts'
import type { OfficeConfig, OfficeSettings } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

export { isNameOfVenue, toStaffView } from './accounts.ts'
export { staffIdleMs, staffSessionTtlMs } from './sessions.ts'
export type { StaffChange } from './accounts.ts'
export type { StaffPrincipal } from './sessions.ts'
export type { OpenedStaffSession, StaffOrigin } from './logIn.ts'

/** The staff of the office: their accounts, login and sessions. The office mounts their calls. */
export type Staff = {
  accounts: StaffAccounts
  sessions: StaffSessions
  factors: StaffFactors
  /** Throws what `StaffLogIns` does, `WORK_REQUIRED`, and on a known device `LOCKED` with the wait in `retryAfterMs`. */
  logIn(credentials: StaffCredentials, from: StaffOrigin): Promise<OpenedStaffSession>
  beginPasskeyLogIn(party: RelyingParty): ReturnType<StaffFactors['assertion']['begin']>
  passkeyLogIn: StaffLogIns['withPasskey']
  enrol(code: string, password: string, from: StaffOrigin): Promise<OpenedStaffSession>
  /** Before a factor is changed. Throws `OLD_PASSWORD_WRONG`, and `LOCKED` after too many of this session. */
  confirm(by: StaffPrincipal, password: string): Promise<void>
  /**
   * Ends the other sessions. Returns the cookie of the device on which the password was changed: no other one is known any
   * more. Throws as `confirm` does.
   */
  changePassword(
    by: StaffPrincipal,
    passwords: NewPassword,
    deviceCookie: string | undefined,
  ): Promise<string>
}

export type StaffParts = {
  db: Db
  /** Used by the job. */
  fence: Fence
  clock: Clock
  random: Random
  passwords: Passwords
  actLog: Pick<ActLog, 'write'>
  secrets: Pick<Secrets, 'idempotencyKey' | 'uploadKey'>
  settings: Pick<OfficeSettings, 'rateLimits'> & OperatorSettings<OfficeConfig, 'name' | 'freePerAddress'>
}

export function createStaff(parts: StaffParts): Staff & Module {
  const { db, clock, random, passwords } = parts
  const { idempotencyKey: secret } = parts.secrets
  const accounts = createStaffAccounts(parts)
  const sessions = createStaffSessions({ db, clock, random, secret, actLog: parts.actLog })
  const factors = createStaffFactors({ ...parts, sessions, venueName: parts.settings.operatorConfig.name })
  const devices = createKnownDevices('staff', secret, clock, random)
  const logIns = createStaffLogIns({ ...parts, accounts, sessions, factors, devices })
  const attempt = createAttempt(parts)
  return {
    accounts,
    sessions,
    factors,
    logIn: async (credentials, from) => {
      const { name, work } = credentials
      const owner = staffDeviceOwner(name, await accounts.byName(name))
      const device = devices.identify(from.deviceCookie, owner)
      const who = { name, ip: from.ip, device, work }
      return attempt(who, 'BAD_CREDENTIALS', () => logIns.withPassword(credentials, from))
    },
    beginPasskeyLogIn: (party) => factors.assertion.begin(party, passkeyPurpose, null),
    passkeyLogIn: (party, answer, from) => logIns.withPasskey(party, answer, from),
    enrol: async (code, password, from) => {
      // At once: of a person who is enrolled anew meanwhile, no session is left.
      const { row, begun } = await accounts.useEnrolment(code, password, (tx, { id }) =>
        sessions.open(id, from, tx),
      )
      return { ...begun, deviceCookie: devices.remember(from.deviceCookie, staffDeviceOwner(row.name, row)) }
    },
    confirm: (by, password) =>
      attempt(sessionWho(by), 'OLD_PASSWORD_WRONG', async () => {
        if (!(await passwords.matches(by.staff.passwordHash, password, 'known')))
          throw new ApiError('OLD_PASSWORD_WRONG')
      }),
    changePassword: async (by, changed, deviceCookie) => {
      const { id } = by.staff
      // At once: a stranger's session does not outlive the password that opened it.
      const row = await attempt(sessionWho(by), 'OLD_PASSWORD_WRONG', () =>
        accounts.changePassword(id, changed, (tx) => sessions.endOthers(id, by.sessionId, tx)),
      )
      return devices.remember(deviceCookie, staffDeviceOwner(row.name, row))
    },
    jobs: [
      {
        name: 'end expired staff sessions',
        everyMs: minuteMs,
        run: () => sessions.endExpired(parts.fence),
      },
      {
        name: 'prune wrong codes of the staff',
        everyMs: hourMs,
        run: () => factors.codes.prune(parts.fence),
      },
    ],
  }
}

/** Who tries a password: a session counts by itself, like a known device. */
type Who = { name: string; ip: string; device: string | null; work?: WorkAnswer | undefined }
const sessionWho = ({ staff, sessionId }: StaffPrincipal): Who => ({
  name: staff.name,
  ip: '',
  device: `session ${sessionId}`,
})

/** Runs a check of a password as an attempt, which counts as failed if the check throws `wrong`. */
function createAttempt({ db, clock, random, settings, secrets }: StaffParts) {
  // The same counts as a member's, under a name that no member's account can have.
  const secret = secrets.idempotencyKey
  const addressWorkThreshold = settings.rateLimits
    ? settings.operatorConfig.freePerAddress.logInsAMinute
    : null
  const attempts = createLoginAttempts({ db, clock, addressWorkThreshold, secret })
  const works = createWorkChallenges({ db, clock, random, secret })
  return async <T>({ name, ip, device, work }: Who, wrong: string, check: () => Promise<T>): Promise<T> => {
    const account = `staff ${staffNameKey(name)}`
    const workFor = { purpose: 'staff log-in work', account, ip }
    // There is no captcha here: only this machine reaches the office by default, and guessing is work.
    const begun = await works.guard(workFor, () =>
      attempts.begin({ account, ip, device, isFree: true }, async (restrictions, tx) => {
        const { lockedForMs, workLevel: level, leastWorkLevel: leastLevel } = restrictions
        if (lockedForMs > 0) throw new ApiError('LOCKED', { params: { retryAfterMs: lockedForMs } })
        if (level > 0) await works.require(tx, workFor, work, { level, leastLevel })
        return true
      }),
    )
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
