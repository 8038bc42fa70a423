import { and, eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authRoutes, type PasswordProof } from '../../../contract/auth.ts'
import type { PasskeyAnswer } from '../../../contract/passkeys.ts'
import { passwordDiffers, passwordsMatch } from '../../../contract/rules.ts'
import type { ActLog, Messages } from '../../notices/index.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import { passwordRequest, type PasswordKind } from '../schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import { mount } from '../../platform/http/mount.ts'
import { deviceCookieOf, setDeviceCookie } from '../../platform/http/sessionCookie.ts'
import type { Module } from '../../platform/module.ts'
import type { Clock, Principal, Random } from '../../platform/ports.ts'
import type { CodeKind } from '../secondFactor/codeCheck.ts'
import type { Confirmations, PartyOfRequest } from '../../platform/http/confirmations.ts'
import type { FactorCore } from '../secondFactor/factorCore.ts'
import { partyOf } from '../../platform/http/requestParty.ts'
import { deviceOwner } from './account.ts'
import { knownDeviceTtlMs, type KnownDevices } from './knownDevices.ts'
import type { PasswordGuard } from './passwordGuard.ts'
import { applyPasswordChange, assertValidPassword } from './passwordChange.ts'
import type { PasswordRecovery } from './passwordRecovery.ts'
import { createPasswordRequestOffice, type PasswordRequestOffice } from './passwordRequestOffice.ts'
import type { Passwords } from './passwords.ts'
import type { Phones } from './phone.ts'
import type { Sessions } from './sessions.ts'
import { createKeyedMutex } from '../../platform/keyedMutex.ts'
import type { MembersConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

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
  office: PasswordRequestOffice
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
  actLog: ActLog
  messages: Pick<Messages, 'send'>
  recovery: Pick<PasswordRecovery, 'issueLink' | 'firstCodes'>
  confirmations: Pick<Confirmations, 'security'>
  factors: Pick<FactorCore, 'codes'>
  devices: Pick<KnownDevices, 'identify' | 'remember'>
  settings: OperatorSettings<MembersConfig, 'name' | 'phoneRules' | 'passwordSelfService'>
}

export function createPasswordRequests(parts: PasswordRequestsParts): PasswordRequests & Module {
  const { db, clock, random, passwords, sessions } = parts
  const { passwordSelfService: selfService } = parts.settings.operatorConfig

  const endOtherSessions = async (memberId: string, sessionId: string): Promise<void> =>
    void (await sessions.endAll(db, memberId, sessionId))()
  /** Runs one request of a member at a time. */
  const runExclusive = createKeyedMutex({ queueMax: waitingMax })

  /** The cheap checks come first: hashing is expensive, and an attack would aim at it. */
  const submit: PasswordRequests['submit'] = async (principal, change, party) => {
    const { memberId, sessionId } = principal
    const { kind, oldPassword = '', newPassword, confirmPassword } = change
    await assertValidPassword(parts, memberId, kind, newPassword)
    const sameError = passwordDiffers(oldPassword, newPassword)
    if (sameError) throw new ApiError('VALIDATION', { fields: { newPassword: sameError } })
    if (passwordsMatch(newPassword, confirmPassword)) throw new ApiError('PASSWORD_MISMATCH')
    await assertNonePending(db, memberId, kind)
    await assertProven(parts, principal, change, party)
    const newHash = await passwords.hash(newPassword, 'known')
    const id = random.uuid()
    const createdAt = clock.now()
    const row = { id, memberId, sessionId, kind, createdAt, provenBy: proofOf(change) }
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
    office: createPasswordRequestOffice({
      ...parts,
      applyChange: (tx, change) => applyPasswordChange(parts, tx, change),
      endOtherSessions,
      recovery: parts.recovery,
    }),
  }
  return {
    ...requests,
    mount: (app) =>
      mount(app, authRoutes.requestPassword, async ({ member: principal, body, request, reply }) => {
        const answer = await requests.submit(principal, body, () => partyOf(request))
        if (answer.status === 'successful' && body.kind === 'login')
          await keepDevice(parts, principal, request, reply)
        return answer
      }),
  }
}

/** The new password has ended every device's being known; that on which it was set stays so. */
async function keepDevice(
  { db, devices }: PasswordRequestsParts,
  { memberId }: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const [row] = await db.select().from(member).where(eq(member.id, memberId))
  const cookie = deviceCookieOf(request)
  if (!row) return
  const owner = deviceOwner(row)
  if (devices.identify(cookie, { ...owner, epoch: owner.epoch - 1 }) === null) return
  setDeviceCookie(request, reply, devices.remember(cookie, owner), knownDeviceTtlMs)
}

const proofOf = ({ passkey, code }: PasswordChange): PasswordProof => {
  if (passkey) return 'passkey'
  return code === undefined ? 'password' : 'code'
}

/** Changing the password requires the old one, or the passkey or app used for logging in. */
async function assertProven(
  { guard, confirmations, factors }: PasswordRequestsParts,
  { memberId, sessionId }: Principal,
  { kind, oldPassword = '', passkey, code }: PasswordChange,
  party: PartyOfRequest,
): Promise<void> {
  if (passkey) return confirmations.security(memberId, { passkey }, party)
  if (code !== undefined) return factors.codes.use(memberId, { code, from: { known: sessionId } }, onlyApp)
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
