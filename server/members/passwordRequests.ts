import { and, eq } from 'drizzle-orm'
import { canonicalPhone } from '../../contract/phones.ts'
import type { PhoneCountry } from '../../contract/phones.ts'
import { passwordRule, transactionPasswordRule } from '../../contract/rules.ts'
import type { Audit } from '../audit/audit.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { isUniqueViolation } from '../db/errors.ts'
import { member } from '../db/schema/member.ts'
import { passwordRequest } from '../db/schema/passwordRequest.ts'
import type { PasswordKind } from '../db/schema/passwordRequest.ts'
import { ApiError } from '../apiError.ts'
import type { Messages } from '../messages/messages.ts'
import type { Clock, Principal, Random } from '../ports.ts'
import type { PasswordGuard } from './passwordGuard.ts'
import { createPasswordRequestBackOffice, passwordPageLink } from './passwordRequestBackOffice.ts'
import type { PasswordHashChange, PasswordRequestBackOffice } from './passwordRequestBackOffice.ts'
import type { Passwords } from './passwords.ts'
import type { Phones } from './phone.ts'
import type { Sessions } from './sessions.ts'
import { createKeyedMutex } from './keyedMutex.ts'

export type PasswordChange = {
  kind: PasswordKind
  oldPassword: string
  newPassword: string
  confirmPassword: string
}

/** A new login or transaction password, on request: it counts when customer service approves, or at once by setting. */
export type PasswordRequests = {
  /**
   * Throws 400 `PASSWORD_WEAK` / `TRANSACTION_PASSWORD_FORMAT`, 422 `PASSWORD_MISMATCH`, `OLD_PASSWORD_WRONG`,
   * 423 after too many wrong old ones, 409 `ALREADY_PENDING`.
   */
  submit(
    principal: Principal,
    given: PasswordChange,
  ): Promise<{ id: string; status: 'under_review' | 'successful' }>
  backOffice: PasswordRequestBackOffice
}

/** Requests of one member that may wait for the one before. */
const waitingMax = 5

export type PasswordRequestsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  passwords: Passwords
  guard: PasswordGuard
  phones: Pick<Phones, 'hash'>
  phoneRules: readonly PhoneCountry[]
  sessions: Pick<Sessions, 'list' | 'end'>
  audit: Audit
  messages: Pick<Messages, 'send'>
  /** Whether a new password takes effect without the desk. */
  selfService: boolean
}

export function createPasswordRequests(parts: PasswordRequestsParts): PasswordRequests {
  const { db, clock, random, passwords, guard, phones, phoneRules, sessions, selfService } = parts

  /** One request of a member at a time, and few that wait. */
  const runExclusive = createKeyedMutex(waitingMax)

  const assertValidPassword = async (memberId: string, kind: PasswordKind, text: string): Promise<void> => {
    const [row] = await db.select().from(member).where(eq(member.id, memberId))
    // The phone is known as a hash alone: a password that hashes to it is the phone.
    const own = {
      ...(row && { account: row.account }),
      ...(phoneRules.some((rule) => phones.hash(canonicalPhone(rule, text)) === row?.phoneHash) && {
        phone: text,
      }),
    }
    const passwordError = kind === 'login' ? passwordRule(text, own) : transactionPasswordRule(text)
    if (passwordError) throw new ApiError(400, 'VALIDATION', { fields: { newPassword: passwordError } })
  }

  const assertNonePending = async (memberId: string, kind: PasswordKind): Promise<void> => {
    const [pending] = await db
      .select({ id: passwordRequest.id })
      .from(passwordRequest)
      .where(
        and(
          eq(passwordRequest.memberId, memberId),
          eq(passwordRequest.kind, kind),
          eq(passwordRequest.status, 'under_review'),
        ),
      )
    if (pending) throw new ApiError(409, 'ALREADY_PENDING')
  }

  /** What can be refused without a hash is refused first: hashes are what an attack would have the venue spend. */
  const submit: PasswordRequests['submit'] = async ({ memberId, sessionId }, given) => {
    const { kind, oldPassword, newPassword, confirmPassword } = given
    await assertValidPassword(memberId, kind, newPassword)
    if (newPassword !== confirmPassword) throw new ApiError(422, 'PASSWORD_MISMATCH')
    await assertNonePending(memberId, kind)
    if (!(await guard.verify(memberId, kind, oldPassword))) throw new ApiError(422, 'OLD_PASSWORD_WRONG')
    const newHash = await passwords.hash(newPassword, 'known')
    const id = random.uuid()
    const createdAt = clock.now()
    const row = { id, memberId, sessionId, kind, createdAt }
    let notify = (): void => undefined
    try {
      notify = await db.transaction(async (tx) => {
        await tx.insert(passwordRequest).values({ ...row, newHash, status: 'under_review' })
        if (!selfService) return notify
        const decided = {
          status: 'successful',
          newHash: null,
          decidedAt: createdAt,
          decidedBy: 'member',
        } as const
        await tx
          .update(passwordRequest)
          .set({ ...decided, version: 2 })
          .where(eq(passwordRequest.id, id))
        return applyPasswordChange(parts, tx, { memberId, kind, newHash })
      })
    } catch (error) {
      if (isUniqueViolation(error, 'password_request_open')) throw new ApiError(409, 'ALREADY_PENDING')
      throw error
    }
    if (!selfService) return { id, status: 'under_review' }
    notify()
    await endOtherSessions(sessions, memberId, sessionId)
    return { id, status: 'successful' }
  }

  return {
    submit: (principal, given) => runExclusive(principal.memberId, () => submit(principal, given)),
    backOffice: createPasswordRequestBackOffice({
      ...parts,
      applyChange: (tx, change) => applyPasswordChange(parts, tx, change),
      endOtherSessions: (memberId, sessionId) => endOtherSessions(sessions, memberId, sessionId),
    }),
  }
}

/** From here on the new password counts; the answer tells the member, once that is committed. */
async function applyPasswordChange(
  { guard, messages }: Pick<PasswordRequestsParts, 'guard' | 'messages'>,
  tx: DbTransaction,
  change: PasswordHashChange,
): Promise<() => void> {
  const { memberId, kind, newHash } = change
  const set = kind === 'login' ? { passwordHash: newHash } : { transactionPasswordHash: newHash }
  await tx.update(member).set(set).where(eq(member.id, memberId))
  await guard.resetFailures(tx, memberId, kind)
  const key = kind === 'login' ? 'loginPasswordChanged' : 'transactionPasswordChanged'
  return messages.send(tx, { memberId, key, params: {}, link: passwordPageLink })
}

/** Whoever was logged in with the old password is logged out, but for the device that asked for the new one. */
async function endOtherSessions(
  sessions: Pick<Sessions, 'list' | 'end'>,
  memberId: string,
  sessionId: string,
): Promise<void> {
  for (const { id, current } of await sessions.list({ memberId, sessionId })) {
    if (!current) await sessions.end(memberId, id, 'revoked')
  }
}
