import { and, eq, sql } from 'drizzle-orm'
import type { LoginAnswer } from '../../contract/session.ts'
import type { Db } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import type { MemberRow } from '../db/schema/member.ts'
import { Refusal } from '../http/refusal.ts'
import type { Captchas } from './captcha.ts'
import type { Failures } from './failures.ts'
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
  failures: Failures
  captchas: Captchas
  sessions: Sessions
  users: Pick<Users, 'view'>
}

/** Logs a member in: locked 423, captcha 422, credentials 401, in this order, the same for accounts that nobody has. */
export type LogIn = (given: Credentials, from: Device) => Promise<LoginAnswer & { sid: string }>

export function createLogIn({ db, passwords, failures, captchas, sessions, users }: Parts): LogIn {
  /**
   * The check of a password takes a while, and a new one may take effect meanwhile. The member's row is locked against
   * that: either this session exists when the change ends all sessions, or the password is seen to be the old one.
   */
  const openSession = (row: MemberRow, from: Device): Promise<OpenedSession> =>
    db.transaction(async (tx) => {
      const [same] = await tx
        .select({ id: member.id })
        .from(member)
        .where(and(eq(member.id, row.id), eq(member.passwordHash, row.passwordHash)))
        .for('share')
      if (!same) throw new Refusal(401, 'BAD_CREDENTIALS')
      return sessions.open(row.id, from, tx)
    })

  return async (given, from) => {
    const { account, password } = given
    const retryAfterMs = failures.lockedFor(account, from.ip)
    if (retryAfterMs > 0) throw new Refusal(423, 'LOCKED', { params: { retryAfterMs } })
    if (failures.needsCaptcha(account, from.ip)) askCaptcha(captchas, given)

    const [row] = await db
      .select()
      .from(member)
      .where(sql`lower(${member.account}) = lower(${account})`)
    if (!(await passwords.matches(row?.passwordHash ?? null, password)) || !row) {
      failures.add(account, from.ip)
      throw new Refusal(401, 'BAD_CREDENTIALS')
    }
    failures.forget(account, from.ip)
    const opened = await openSession(row, from)
    return { ...opened, user: users.view(row) }
  }
}

function askCaptcha(captchas: Captchas, { captchaId, captcha }: Credentials): void {
  if (captchaId === undefined || captcha === undefined) throw new Refusal(422, 'CAPTCHA_REQUIRED')
  if (!captchas.solve(captchaId, captcha)) throw new Refusal(422, 'CAPTCHA_WRONG')
}
