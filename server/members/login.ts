import { and, eq } from 'drizzle-orm'
import type { LoginAnswer } from '../../contract/session.ts'
import type { Db } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import type { MemberRow } from '../db/schema/member.ts'
import { ApiError } from '../apiError.ts'
import { accountKey, accountMatches } from './account.ts'
import type { LoginAttempts, LoginIdentity } from './loginAttempts.ts'
import type { Captchas } from './captcha.ts'
import type { KnownDevices } from './knownDevices.ts'
import type { Passwords } from './passwords.ts'
import type { Device, OpenedSession, Sessions } from './sessions.ts'
import type { Users } from './user.ts'

type Credentials = {
  account: string
  password: string
  captchaId?: string | undefined
  captcha?: string | undefined
}
type Parts = {
  db: Db
  passwords: Passwords
  attempts: LoginAttempts
  captchas: Captchas
  devices: KnownDevices
  sessions: Sessions
  users: Pick<Users, 'view'>
}
/** Where a log-in comes from, with what the browser shows of log-ins before. */
export type LoginOrigin = Device & { deviceCookie?: string | undefined }
export type LoginResult = LoginAnswer & { sid: string; deviceCookie: string }

/**
 * Logs a member in. Refusals in this order, the same for accounts that nobody has: 423 `LOCKED`, 422
 * `CAPTCHA_REQUIRED` / `CAPTCHA_WRONG`, 429 `RATE_LIMITED` (each wait in `retryAfterMs`), 401 `BAD_CREDENTIALS`.
 */
export type LogIn = (given: Credentials, from: LoginOrigin) => Promise<LoginResult>

export function createLogIn(parts: Parts): LogIn {
  const { db, passwords, attempts, captchas, devices, users } = parts
  return async (given, from) => {
    const account = accountKey(given.account)
    const identity: LoginIdentity = {
      account,
      ip: from.ip,
      device: devices.identify(from.deviceCookie, account),
    }
    assertLoginAllowed(attempts, captchas, identity, given)

    // It counts from here on: of many sent at once, the later ones meet what the earlier ones count to.
    const attempt = attempts.begin(identity)
    try {
      const [row] = await db.select().from(member).where(accountMatches(given.account))
      const lane = identity.device === null ? 'stranger' : 'known'
      const passwordMatches = await passwords.matches(row?.passwordHash ?? null, given.password, lane)
      const openedSession = passwordMatches && row ? await openSession(parts, row, from) : null
      if (!openedSession || !row) throw new ApiError(401, 'BAD_CREDENTIALS')
      attempt.succeeded()
      return {
        ...openedSession,
        user: users.view(row),
        deviceCookie: devices.remember(from.deviceCookie, account),
      }
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) attempt.discard()
      throw error
    }
  }
}

/** What is refused before a password is looked at. A right captcha is used up only where the log-in goes on. */
function assertLoginAllowed(
  attempts: LoginAttempts,
  captchas: Captchas,
  identity: LoginIdentity,
  { captchaId, captcha }: Credentials,
): void {
  const { lockedForMs, requiresCaptcha, waitMs } = attempts.restrictions(identity)
  if (lockedForMs > 0) throw new ApiError(423, 'LOCKED', { params: { retryAfterMs: lockedForMs } })
  if (requiresCaptcha) {
    if (captchaId === undefined || captcha === undefined) throw new ApiError(422, 'CAPTCHA_REQUIRED')
    if (!captchas.verify(captchaId, captcha)) throw new ApiError(422, 'CAPTCHA_WRONG')
  }
  if (waitMs > 0) throw new ApiError(429, 'RATE_LIMITED', { params: { retryAfterMs: waitMs } })
  if (requiresCaptcha && captchaId !== undefined) captchas.consume(captchaId)
}

/**
 * The check of a password takes a while, and a new one may take effect meanwhile. The member's row is locked against
 * that: either this session exists when the change ends all sessions, or the password is seen to be the old one and
 * the answer is null.
 */
function openSession({ db, sessions }: Parts, row: MemberRow, from: Device): Promise<OpenedSession | null> {
  return db.transaction(async (tx) => {
    const [same] = await tx
      .select({ id: member.id })
      .from(member)
      .where(and(eq(member.id, row.id), eq(member.passwordHash, row.passwordHash)))
      .for('share')
    return same ? sessions.open(row.id, from, tx) : null
  })
}
