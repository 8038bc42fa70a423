import { and, eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { PasskeyAnswer, passkeyRequestOptions } from '../../../contract/passkeys.ts'
import { secondFactorRoutes } from '../../../contract/secondFactors.ts'
import { minuteMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { member, type MemberRow } from '../../platform/db/schema.ts'
import { mount } from '../../platform/http/mount.ts'
import { sha256 } from '../../platform/keyDerivation.ts'
import type { Messages } from '../../notices/index.ts'
import type { Principal } from '../../platform/ports.ts'
import type { FactorCore } from '../secondFactor/factorCore.ts'
import type { RelyingParty } from '../../platform/http/relyingParty.ts'
import { partyOf } from '../../platform/http/requestParty.ts'
import { deviceOwner, isOpenAccount } from './account.ts'
import type { KnownDevices } from './knownDevices.ts'
import type { LoginFrom, LoginHistory } from './loginHistory.ts'
import type { LoginOrigin, LoginResult } from './login.ts'
import type { Sessions } from './sessions.ts'
import type { Users } from './user.ts'

/** How long a login waits for its second step. */
const loginTtlMs = 5 * minuteMs
const ticketPurpose = 'member log-in'
const passkeyPurpose = 'log-in'

/** The second step of a login, and the login by a passkey, which needs no second step. */
export type FactorLogins = {
  /** The second step that a login with the right password needs; null if it needs none. */
  secondStep(tx: DbTransaction, row: MemberRow): Promise<ApiError | null>
  /** Throws `CHALLENGE_EXPIRED`, `SECOND_FACTOR_WRONG`, `LOCKED`, `BAD_CREDENTIALS` if the password is new. */
  withCode(login: { loginId: string; code: string }, from: LoginOrigin): Promise<LoginResult>
  /** Throws `CHALLENGE_EXPIRED`, `PASSKEY_INVALID`. */
  withPasskey(party: RelyingParty, answer: PasskeyAnswer, from: LoginOrigin): Promise<LoginResult>
}

type Parts = {
  db: Db
  factors: FactorCore
  devices: KnownDevices
  loginHistory: Pick<LoginHistory, 'succeeded' | 'failed'>
  messages: Pick<Messages, 'send'>
  sessions: Sessions
  users: Pick<Users, 'view'>
}
/** The password of the first step: a new one takes effect for logins that wait, too. */
type WaitingLogin = { memberId: string; passwordVersion: string }

export function createFactorLogins(parts: Parts): FactorLogins {
  const { db, factors, messages, devices } = parts
  return {
    secondStep: async (tx, row) => {
      const { id: memberId } = row
      if ((await factors.totp.addedAt(tx, memberId)) === null) return null
      const waiting: WaitingLogin = { memberId, passwordVersion: passwordVersionOf(row) }
      const { id: loginId, expiresAt } = factors.tickets.issue(ticketPurpose, waiting, loginTtlMs)
      return new ApiError('SECOND_FACTOR_REQUIRED', { params: { loginId, expiresAt } })
    },
    withCode: async ({ loginId, code }, from) => {
      const ticket = factors.tickets.read(ticketPurpose, loginId)
      if (!ticket) throw new ApiError('CHALLENGE_EXPIRED')
      const { memberId, passwordVersion } = ticket.value as WaitingLogin
      const [waiting] = await db
        .select()
        .from(member)
        .where(and(eq(member.id, memberId), isOpenAccount))
      if (!waiting) throw new ApiError('BAD_CREDENTIALS')
      const device = devices.identify(from.deviceCookie, deviceOwner(waiting))
      const codeFrom = device === null ? { ip: from.ip, attempt: loginId } : { known: device }
      const opening = factors.codes.use(memberId, { code, from: codeFrom }, async (tx, kind) => {
        if (!(await ticket.use(tx))) throw new ApiError('CHALLENGE_EXPIRED')
        const row = await lockMember(tx, memberId)
        if (!row || passwordVersionOf(row) !== passwordVersion) throw new ApiError('BAD_CREDENTIALS')
        const left = String(await factors.recoveryCodes.left(tx, memberId))
        const message = { memberId, key: 'recoveryCodeUsed', params: { left }, link } as const
        const opened = await openSession(parts, tx, row, from, 'code')
        const notifyOfCode = kind === 'recovery' ? await messages.send(tx, message) : () => undefined
        return { ...opened, notifyOfCode }
      })
      const { result, notify, notifyOfCode } = await opening.catch((error: unknown) => {
        const isWrong = error instanceof ApiError && error.code === 'SECOND_FACTOR_WRONG'
        if (isWrong) parts.loginHistory.failed(memberId, loginFrom(parts, waiting, from, 'code'))
        throw error
      })
      notify()
      notifyOfCode()
      return result
    },
    withPasskey: async (party, answer, from) => {
      const checked = await factors.passkeys.assertion.check(party, passkeyPurpose, null, answer)
      const { result, notify } = await db.transaction(async (tx) => {
        await checked.accept(tx)
        const row = await lockMember(tx, checked.ownerId)
        if (!row) throw new ApiError('PASSKEY_INVALID')
        return openSession(parts, tx, row, from, 'passkey')
      })
      notify()
      return result
    },
  }
}

const link = 'pages/security/security'

const passwordVersionOf = ({ passwordHash }: MemberRow): string => sha256(passwordHash ?? '')

/** A change of password or second factors, or a closing, waits until the session exists, and then ends it. */
async function lockMember(tx: DbTransaction, memberId: string): Promise<MemberRow | null> {
  const open = and(eq(member.id, memberId), isOpenAccount)
  const [row] = await tx.select().from(member).where(open).for('share')
  return row ?? null
}

function loginFrom(
  { devices }: Parts,
  row: MemberRow,
  from: LoginOrigin,
  method: LoginFrom['method'],
): LoginFrom {
  return { ...from, known: devices.identify(from.deviceCookie, deviceOwner(row)) !== null, method }
}

async function openSession(
  parts: Parts,
  tx: DbTransaction,
  row: MemberRow,
  from: LoginOrigin,
  method: LoginFrom['method'],
): Promise<{ result: LoginResult; notify: () => void }> {
  const { sessions, users, devices, loginHistory } = parts
  const notify = await loginHistory.succeeded(tx, row.id, loginFrom(parts, row, from, method))
  const result = {
    ...(await sessions.open(row.id, from, tx)),
    user: users.view(row),
    deviceCookie: devices.remember(from.deviceCookie, deviceOwner(row)),
  }
  return { result, notify }
}

/** What the routes of a login share: where it comes from, and the cookies of its answer. */
export type LoginRequests = {
  origin(request: FastifyRequest, ip: string): LoginOrigin
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    result: LoginResult,
    current: Principal | null,
  ): Promise<Omit<LoginResult, 'sid' | 'deviceCookie'>>
}

export function mountFactorLogins(
  app: FastifyInstance,
  { factors, factorLogins: logins }: { factors: FactorCore; factorLogins: FactorLogins },
  requests: LoginRequests,
): void {
  mount(app, secondFactorRoutes.beginPasskeyLogin, async ({ request }) => {
    const issued = await factors.passkeys.assertion.begin(partyOf(request), passkeyPurpose, null)
    return { ...issued, options: issued.options as z.input<typeof passkeyRequestOptions> }
  })
  mount(app, secondFactorRoutes.logInWithPasskey, async ({ body, member: current, ip, request, reply }) => {
    const result = await logins.withPasskey(partyOf(request), body, requests.origin(request, ip))
    return requests.answer(request, reply, result, current)
  })
  mount(
    app,
    secondFactorRoutes.logInWithSecondFactor,
    async ({ body, member: current, ip, request, reply }) => {
      const result = await logins.withCode(body, requests.origin(request, ip))
      return requests.answer(request, reply, result, current)
    },
  )
}
