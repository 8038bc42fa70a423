import { and, eq } from 'drizzle-orm'
import { authRoutes } from '../../contract/auth.ts'
import type { PasskeyAnswer } from '../../contract/passkeys.ts'
import { passwordDiffers } from '../../contract/rules.ts'
import type { Audit } from '../audit/audit.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { passwordRequest } from '../db/schema/passwordRequest.ts'
import type { PasswordKind } from '../db/schema/passwordRequest.ts'
import { ApiError } from '../apiError.ts'
import { mount } from '../http/mount.ts'
import type { Messages } from '../messages/messages.ts'
import type { Module } from '../module.ts'
import type { OperatorSettings } from '../operatorConfig.ts'
import type { Clock, Principal, Random } from '../ports.ts'
import type { CodeKind } from '../secondFactor/codeCheck.ts'
import type { Confirmations, PartyOfRequest } from '../secondFactor/confirmations.ts'
import type { FactorCore } from '../secondFactor/factorCore.ts'
import { partyOf } from '../secondFactor/requestParty.ts'
import type { PasswordGuard } from './passwordGuard.ts'
import { applyPasswordChange, assertValidPassword } from './passwordChange.ts'
import type { PasswordRecovery } from './passwordRecovery.ts'
import { createPasswordRequestBackOffice } from './passwordRequestBackOffice.ts'
import type { PasswordRequestBackOffice } from './passwordRequestBackOffice.ts'
import type { Passwords } from './passwords.ts'
import type { Phones } from './phone.ts'
import type { Sessions } from './sessions.ts'
import { createKeyedMutex } from './keyedMutex.ts'

export type PasswordChange = {
  kind: PasswordKind
  /** Or, for a login password, a passkey or a code of the authenticator app. */
  oldPassword?: string | undefined
  passkey?: PasskeyAnswer | undefined
  code?: string | undefined
  newPassword: string
  confirmPassword: string
}

/** Requests for a new login or transaction password. It takes effect on approval, or at once if the setting says so. */
export type PasswordRequests = {
  /**
   * Throws `PASSWORD_WEAK` / `TRANSACTION_PASSWORD_FORMAT`, `PASSWORD_SAME`, `PASSWORD_MISMATCH`, `OLD_PASSWORD_WRONG`,
   * `LOCKED` after too many wrong old passwords, `ALREADY_PENDING`, and what a wrong passkey or code has.
   */
  submit(
    principal: Principal,
    change: PasswordChange,
    party: PartyOfRequest,
  ): Promise<{ id: string; status: 'under_review' | 'successful' }>
  backOffice: PasswordRequestBackOffice
}

/** How many requests of one member may wait for the one in progress. */
const waitingMax = 5

export type PasswordRequestsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  passwords: Passwords
  guard: PasswordGuard
  phones: Pick<Phones, 'hash'>
  sessions: Pick<Sessions, 'endAll'>
  audit: Audit
  messages: Pick<Messages, 'send'>
  recovery: Pick<PasswordRecovery, 'issueLink'>
  confirmations: Pick<Confirmations, 'security'>
  factors: Pick<FactorCore, 'codes'>
  settings: OperatorSettings<'name' | 'phoneRules' | 'passwordSelfService'>
}

export function createPasswordRequests(parts: PasswordRequestsParts): PasswordRequests & Module {
  const { db, clock, random, passwords, sessions } = parts
  const { passwordSelfService: selfService } = parts.settings.operatorConfig

  const endOtherSessions = async (memberId: string, sessionId: string): Promise<void> => {
    const endSockets = await sessions.endAll(db, memberId, sessionId)
    endSockets()
  }
  /** Runs one request of a member at a time. */
  const runExclusive = createKeyedMutex(waitingMax)

  /** The cheap checks come first: hashing is expensive, and an attack would aim at it. */
  const submit: PasswordRequests['submit'] = async ({ memberId, sessionId }, change, party) => {
    const { kind, oldPassword = '', newPassword, confirmPassword } = change
    await assertValidPassword(parts, memberId, kind, newPassword)
    const sameError = passwordDiffers(oldPassword, newPassword)
    if (sameError) throw new ApiError('VALIDATION', { fields: { newPassword: sameError } })
    if (newPassword !== confirmPassword) throw new ApiError('PASSWORD_MISMATCH')
    await assertNonePending(db, memberId, kind)
    await assertProven(parts, memberId, change, party)
    const newHash = await passwords.hash(newPassword, 'known')
    const id = random.uuid()
    const createdAt = clock.now()
    const row = { id, memberId, sessionId, kind, createdAt }
    const notifyMember = await db.transaction(async (tx) => {
      const inserted = await tx
        .insert(passwordRequest)
        .values({ ...row, newHash, status: 'under_review' })
        .onConflictDoNothing()
      if (inserted.rowCount === 0) throw new ApiError('ALREADY_PENDING')
      if (!selfService) return (): void => undefined
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
    if (!selfService) return { id, status: 'under_review' }
    notifyMember()
    await endOtherSessions(memberId, sessionId)
    return { id, status: 'successful' }
  }

  const requests: PasswordRequests = {
    submit: (principal, change, party) =>
      runExclusive(principal.memberId, () => submit(principal, change, party)),
    backOffice: createPasswordRequestBackOffice({
      ...parts,
      applyChange: (tx, change) => applyPasswordChange(parts, tx, change),
      endOtherSessions,
      issueLink: parts.recovery.issueLink,
    }),
  }
  return {
    ...requests,
    mount: (app) =>
      mount(app, authRoutes.requestPassword, ({ member, body, request }) =>
        requests.submit(member, body, () => partyOf(request)),
      ),
  }
}

/** Who changes the password knows the old one, or has the passkey or app that logs in with it. */
async function assertProven(
  { guard, confirmations, factors }: PasswordRequestsParts,
  memberId: string,
  { kind, oldPassword = '', passkey, code }: PasswordChange,
  party: PartyOfRequest,
): Promise<void> {
  if (passkey) return confirmations.security(memberId, { passkey }, party)
  if (code !== undefined) return factors.codes.use(memberId, code, onlyApp)
  if (!(await guard.verify(memberId, kind, oldPassword))) throw new ApiError('OLD_PASSWORD_WRONG')
  return undefined
}

/** A recovery code logs in once, and no more. */
const onlyApp = async (_tx: DbTransaction, kind: CodeKind): Promise<void> => {
  if (kind !== 'totp') throw new ApiError('SECOND_FACTOR_WRONG')
}

async function assertNonePending(db: Db, memberId: string, kind: PasswordKind): Promise<void> {
  const [pending] = await db
    .select({ id: passwordRequest.id })
    .from(passwordRequest)
    .where(
      and(
        eq(passwordRequest.memberId, memberId),
        eq(passwordRequest.kind, kind),
        eq(passwordRequest.status, 'under_review'),
        eq(passwordRequest.recovery, false),
      ),
    )
  if (pending) throw new ApiError('ALREADY_PENDING')
}
