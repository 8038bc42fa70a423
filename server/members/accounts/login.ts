import { and, eq } from 'drizzle-orm'
import type { LoginAnswer } from '../../../contract/auth.ts'
import type { WorkAnswer } from '../../../contract/work.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { member, type MemberRow } from '../../platform/db/schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import { addressBlock } from '../../platform/http/rateLimiter.ts'
import { accountKey, accountMatches, deviceOwner, isOpenAccount } from './account.ts'
import type { Allowances } from './allowances.ts'
import type { LoginAttempts, LoginIdentity, LoginRestrictions } from './loginAttempts.ts'
import type { Captchas } from './captcha.ts'
import type { LoginFrom, LoginHistory } from './loginHistory.ts'
import type { KnownDevices } from './knownDevices.ts'
import type { Passwords } from './passwords.ts'
import type { Device, OpenedSession, Sessions } from './sessions.ts'
import type { Users } from './user.ts'
import type { WorkChallenges } from './workChallenges.ts'

type Credentials = {
  account: string
  password: string
  captchaId?: string | undefined
  captcha?: string | undefined
  work?: WorkAnswer | undefined
}
type Parts = {
  db: Db
  passwords: Passwords
  attempts: LoginAttempts
  captchas: Captchas
  works: WorkChallenges
  allowances: Pick<Allowances, 'logIn'>
  devices: KnownDevices
  sessions: Sessions
  history: Pick<LoginHistory, 'succeeded' | 'failed'>
  users: Pick<Users, 'view'>
  /** The second step that a member's login needs after the password; null if it needs none. */
  secondStep: (tx: DbTransaction, row: MemberRow) => Promise<ApiError | null>
}
/** Where a login comes from, with the cookie that proves earlier logins. */
export type LoginOrigin = Device & { deviceCookie?: string | undefined }
export type LoginResult = LoginAnswer & { sid: string; deviceCookie: string }

/**
 * Logs a member in. Throws in this order, in the same way for accounts that do not exist: `LOCKED`,
 * `CAPTCHA_REQUIRED` / `CAPTCHA_WRONG`, `WORK_REQUIRED`, `BAD_CREDENTIALS`. After the right password
 * `SECOND_FACTOR_REQUIRED`, if the member has an authenticator app.
 */
export type LogIn = (credentials: Credentials, from: LoginOrigin) => Promise<LoginResult>

export function createLogIn(parts: Parts): LogIn {
  const { db, passwords, attempts, captchas, works, devices, users } = parts
  return async (credentials, from) => {
    const account = accountKey(credentials.account)
    const [row] = await db
      .select()
      .from(member)
      .where(and(accountMatches(credentials.account), isOpenAccount))
    const known = devices.identify(from.deviceCookie, { account, epoch: row?.deviceEpoch ?? 0 })
    const identity = identityOf(parts, account, from.ip, known)
    const workFor = { purpose: 'member log-in work', account, ip: from.ip }
    // Counted before the password is checked: of many attempts sent at once, each sees those before it.
    const attempt = await works.guard(workFor, () =>
      attempts.begin(identity, async (restrictions, tx) => {
        const redeem = (id: string, answer: string) => captchas.redeem(tx, id, answer)
        if (!(await passesCaptcha(restrictions, credentials, redeem))) return false
        const { workLevel: level, leastWorkLevel: leastLevel } = restrictions
        if (level > 0) await works.require(tx, workFor, credentials.work, { level, leastLevel })
        return true
      }),
    )
    if (!attempt) throw new ApiError('CAPTCHA_WRONG')
    try {
      const lane = identity.device === null ? 'unknown' : 'known'
      const stored = row?.passwordHash ?? null
      const passwordMatches = await passwords.matches(stored, credentials.password, lane)
      const login = { ...from, known: known !== null, method: 'password' as const }
      const openedSession = passwordMatches && row ? await openSession(parts, row, login) : null
      if (!openedSession && row) parts.history.failed(row.id, login)
      if (!openedSession || !row) throw new ApiError('BAD_CREDENTIALS')
      await attempt.succeeded()
      return {
        ...openedSession,
        user: users.view(row),
        deviceCookie: devices.remember(from.deviceCookie, deviceOwner(row)),
      }
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null
      // The password was right; codes are counted by themselves.
      if (code === 'SECOND_FACTOR_REQUIRED') await attempt.succeeded()
      else if (code !== 'BAD_CREDENTIALS') await attempt.discard()
      throw error
    }
  }
}

/** A known device that has used up its own free tries works like an unknown one. */
function identityOf(
  { allowances }: Pick<Parts, 'allowances'>,
  account: string,
  ip: string,
  known: string | null,
): LoginIdentity {
  const isFree = allowances.logIn(known === null ? addressBlock(ip) : `device ${known}`)
  return { account, ip, device: isFree ? known : null, isFree }
}

/** False after a wrong captcha, which is used up; a correct one is used up only if what comes after throws nothing. */
async function passesCaptcha(
  { lockedForMs, requiresCaptcha }: LoginRestrictions,
  { captchaId, captcha }: Credentials,
  redeem: (captchaId: string, answer: string) => Promise<boolean>,
): Promise<boolean> {
  if (lockedForMs > 0) throw new ApiError('LOCKED', { params: { retryAfterMs: lockedForMs } })
  if (!requiresCaptcha) return true
  if (captchaId === undefined || captcha === undefined) throw new ApiError('CAPTCHA_REQUIRED')
  return redeem(captchaId, captcha)
}

/**
 * Checking a password takes time, and a new one may take effect meanwhile. So the member's row is locked: either this
 * session exists when the change ends all sessions, or the hash no longer matches and the result is null.
 */
async function openSession(
  { db, sessions, history, secondStep }: Parts,
  row: MemberRow,
  from: LoginFrom,
): Promise<OpenedSession | null> {
  const opened = await db.transaction(async (tx) => {
    const [unchanged] = await tx
      .select({ id: member.id })
      .from(member)
      .where(and(eq(member.id, row.id), eq(member.passwordHash, row.passwordHash ?? '')))
      .for('share')
    if (!unchanged) return null
    const required = await secondStep(tx, row)
    if (required) throw required
    const notify = await history.succeeded(tx, row.id, from)
    return { session: await sessions.open(row.id, from, tx), notify }
  })
  opened?.notify()
  return opened?.session ?? null
}
