import { sql } from 'drizzle-orm'
import type { LoginAnswer } from '../../contract/session.ts'
import type { Db } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import { Refusal } from '../http/refusal.ts'
import type { Captchas } from './captcha.ts'
import type { Failures } from './failures.ts'
import type { Passwords } from './passwords.ts'
import type { Device, Sessions } from './sessions.ts'
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
    const opened = await sessions.open(row.id, from)
    return { ...opened, user: users.view(row) }
  }
}

function askCaptcha(captchas: Captchas, { captchaId, captcha }: Credentials): void {
  if (captchaId === undefined || captcha === undefined) throw new Refusal(422, 'CAPTCHA_REQUIRED')
  if (!captchas.solve(captchaId, captcha)) throw new Refusal(422, 'CAPTCHA_WRONG')
}
