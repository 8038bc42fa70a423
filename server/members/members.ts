import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { authRoutes, registerCheckOf } from '../../contract/auth.ts'
import { memberRoutes } from '../../contract/member.ts'
import type { User } from '../../contract/member.ts'
import { emailRule } from '../../contract/rules.ts'
import { minuteMs } from '../../contract/time.ts'
import { ApiError } from '../apiError.ts'
import { practiceBalanceOf } from '../config.ts'
import type { Settings } from '../config.ts'
import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { member } from '../db/schema/member.ts'
import { mount } from '../http/mount.ts'
import { clearSid, deviceCookieOf, setDeviceCookie, setSid } from '../http/sessionCookie.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Messages } from '../messages/messages.ts'
import type { Module } from '../module.ts'
import type { OperatorSettings } from '../operatorConfig.ts'
import type { Clock, Random } from '../ports.ts'
import type { Secrets } from '../secrets.ts'
import { accountKey } from './account.ts'
import { createCaptchas } from './captcha.ts'
import type { Captchas } from './captcha.ts'
import { deviceName } from './deviceName.ts'
import { createKnownDevices, knownDeviceTtlMs } from './knownDevices.ts'
import type { KnownDevices } from './knownDevices.ts'
import { createLogIn } from './login.ts'
import type { LogIn } from './login.ts'
import type { LoginHistory } from './loginHistory.ts'
import { createLoginAttempts } from './loginAttempts.ts'
import { createPasswordGuard } from './passwordGuard.ts'
import type { PasswordGuard } from './passwordGuard.ts'
import type { Passwords } from './passwords.ts'
import { createPhones } from './phone.ts'
import type { Phones } from './phone.ts'
import { createRegisterTokens } from './registerToken.ts'
import { createRegistration } from './registration.ts'
import type { Registration } from './registration.ts'
import { sessionTtlMs } from './sessions.ts'
import type { Device, Sessions } from './sessions.ts'
import { createUsers } from './user.ts'
import type { Users } from './user.ts'

export type MembersParts = {
  db: Db
  /** Used by the jobs. */
  fence: Fence
  clock: Clock
  random: Random
  passwords: Passwords
  ledger: Ledger
  sessions: Sessions
  loginHistory: Pick<LoginHistory, 'succeeded' | 'failed'>
  messages: Pick<Messages, 'send'>
  /** The key for each purpose is derived from the secret. */
  secrets: Pick<Secrets, 'idempotencyKey'>
  /** `rateLimits`: whether failed log-ins make other unknown devices at the same address wait. */
  settings: Pick<Settings, 'openingCode' | 'mode' | 'practiceBalance' | 'rateLimits'> &
    OperatorSettings<'phoneRules'>
}

/** Registration, log-in and the profile of members. */
export type Members = {
  registration: Registration
  logIn: LogIn
  captchas: Captchas
  devices: KnownDevices
  passwords: Passwords
  guard: PasswordGuard
  phones: Phones
  users: Users
  user(memberId: string): Promise<User>
  updateProfile(memberId: string, patch: ProfilePatch): Promise<User>
}
const pruneEveryMs = 10 * minuteMs
type ProfilePatch = { nickname?: string | undefined; contactEmail?: string | null | undefined }

export function createMembers(parts: MembersParts): Members & Module {
  const { db, clock, random, passwords, messages, sessions, settings } = parts
  const { idempotencyKey: secret } = parts.secrets
  const guard = createPasswordGuard({ db, clock, passwords })
  const captchas = createCaptchas({ db, clock, random, secret })
  const attempts = createLoginAttempts({ db, clock, byAddress: settings.rateLimits, secret })
  const devices = createKnownDevices(secret, clock, random)
  const phones = createPhones(secret, random)
  const users = createUsers(secret, random)
  const registration = createRegistration({
    ...parts,
    phones,
    tokens: createRegisterTokens(secret, clock),
    sendWelcome: (tx, memberId) => messages.send(tx, { memberId, key: 'welcome', params: {} }),
    openingCode: settings.openingCode,
    practiceBalance: practiceBalanceOf(settings),
    phoneRules: settings.operatorConfig.phoneRules,
  })
  const user = async (memberId: string): Promise<User> => {
    const [row] = await db.select().from(member).where(eq(member.id, memberId))
    return row ? users.view(row) : missing()
  }
  const members: Members = {
    registration,
    logIn: createLogIn({
      db,
      passwords,
      attempts,
      captchas,
      devices,
      sessions,
      users,
      history: parts.loginHistory,
    }),
    captchas,
    devices,
    passwords,
    guard,
    phones,
    users,
    user,
    updateProfile: async (memberId, patch) => {
      const values = profileColumns(users, memberId, patch)
      if (Object.keys(values).length === 0) return user(memberId)
      const [row] = await db.update(member).set(values).where(eq(member.id, memberId)).returning()
      return row ? users.view(row) : missing()
    },
  }
  return {
    ...members,
    mount: (app) => mountRoutes(app, parts, members),
    jobs: [
      { name: 'prune failed log-ins', everyMs: pruneEveryMs, run: () => attempts.prune(parts.fence) },
      { name: 'prune used captchas', everyMs: pruneEveryMs, run: () => captchas.prune(parts.fence) },
    ],
  }
}

/** The columns that a patch changes. An empty e-mail address removes the address. */
function profileColumns(
  users: Users,
  memberId: string,
  { nickname, contactEmail }: ProfilePatch,
): { nickname?: string; contactEmailSealed?: Uint8Array | null } {
  const emailError = emailRule(contactEmail ?? '')
  if (emailError) throw new ApiError('VALIDATION', { fields: { contactEmail: emailError } })
  if (nickname !== undefined && nickname.trim() === '') {
    throw new ApiError('VALIDATION', { fields: { nickname: 'REQUIRED' } })
  }
  return {
    ...(nickname !== undefined && { nickname: nickname.trim() }),
    ...(contactEmail !== undefined && {
      contactEmailSealed: users.encryptEmail(memberId, contactEmail === '' ? null : contactEmail),
    }),
  }
}

function missing(): never {
  throw new Error('The session has no member.')
}

/** The calls about sessions and the member. */
function mountRoutes(app: FastifyInstance, { sessions, settings }: MembersParts, members: Members): void {
  const { registration, captchas, devices, logIn } = members

  const step1 = { ...authRoutes.registerCheck, body: registerCheckOf(settings.operatorConfig.phoneRules) }
  mount(app, step1, ({ body }) => registration.check(body))
  mount(app, authRoutes.register, async ({ body, ip, request, reply }) => {
    const { memberId, account } = await registration.open(body, ip)
    const cookie = devices.remember(deviceCookieOf(request), accountKey(account))
    setDeviceCookie(request, reply, cookie, knownDeviceTtlMs)
    return { memberId }
  })
  mount(app, authRoutes.captcha, () => captchas.issue())

  mount(app, authRoutes.login, async ({ body, member: current, ip, request, reply }) => {
    const from = { ...deviceOf(request, ip), deviceCookie: deviceCookieOf(request) }
    const { sid, deviceCookie, ...answer } = await logIn(body, from)
    if (current) await sessions.end(current.memberId, current.sessionId, 'revoked')
    setSid(request, reply, sid, sessionTtlMs)
    setDeviceCookie(request, reply, deviceCookie, knownDeviceTtlMs)
    return answer
  })
  mount(app, authRoutes.logout, async ({ member: { memberId, sessionId }, request, reply }) => {
    await sessions.end(memberId, sessionId, 'logout')
    clearSid(request, reply)
    return undefined
  })

  mount(app, authRoutes.sessions, (context) => sessions.list(context.member))
  mount(app, authRoutes.endSession, async ({ member: { memberId, sessionId }, params, request, reply }) => {
    const own = params.id === sessionId
    if (!(await sessions.end(memberId, params.id, own ? 'logout' : 'revoked'))) {
      throw new ApiError('NOT_FOUND')
    }
    if (own) clearSid(request, reply)
    return undefined
  })

  mount(app, memberRoutes.me, (context) => members.user(context.member.memberId))
  mount(app, memberRoutes.patchMe, (context) => members.updateProfile(context.member.memberId, context.body))
}

function deviceOf(request: FastifyRequest, ip: string): Device {
  return { device: deviceName(request.headers['user-agent']), ip }
}
