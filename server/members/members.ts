import type { FastifyInstance } from 'fastify'
import { authRoutes, registerCheckOf } from '../../contract/auth.ts'
import { memberRoutes } from '../../contract/member.ts'
import { minuteMs } from '../../contract/time.ts'
import { ApiError } from '../apiError.ts'
import { practiceBalanceOf } from '../config.ts'
import type { Settings } from '../config.ts'
import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { memberFactors } from '../db/schema/secondFactor.ts'
import { mount } from '../http/mount.ts'
import { clearSid, deviceCookieOf, setDeviceCookie, setSid } from '../http/sessionCookie.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Messages } from '../messages/messages.ts'
import type { Module } from '../module.ts'
import type { OperatorSettings } from '../operatorConfig.ts'
import type { Clock, Random } from '../ports.ts'
import { createConfirmations } from '../secondFactor/confirmations.ts'
import type { Confirmations } from '../secondFactor/confirmations.ts'
import { createFactorCore } from '../secondFactor/factorCore.ts'
import type { FactorCore } from '../secondFactor/factorCore.ts'
import { partyOf } from '../secondFactor/requestParty.ts'
import type { Secrets } from '../secrets.ts'
import { accountKey } from './account.ts'
import { createCaptchas } from './captcha.ts'
import type { Captchas } from './captcha.ts'
import { deviceName } from './deviceName.ts'
import { createFactorLogins, mountFactorLogins } from './factorLogin.ts'
import type { FactorLogins, LoginRequests } from './factorLogin.ts'
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
import { createProfiles } from './profile.ts'
import type { Profiles } from './profile.ts'
import { createRegisterTokens } from './registerToken.ts'
import { createRegistration } from './registration.ts'
import type { Registration } from './registration.ts'
import { sessionTtlMs } from './sessions.ts'
import type { Sessions } from './sessions.ts'
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
  secrets: Pick<Secrets, 'idempotencyKey' | 'uploadKey'>
  /** `rateLimits`: whether failed log-ins make other unknown devices at the same address wait. */
  settings: Pick<Settings, 'openingCode' | 'mode' | 'practiceBalance' | 'rateLimits'> &
    OperatorSettings<'name' | 'phoneRules'>
}

/** Registration, log-in and the profile of members. */
export type Members = {
  registration: Registration
  logIn: LogIn
  /** Passkeys, authenticator apps and recovery codes. */
  factors: FactorCore
  factorLogins: FactorLogins
  confirmations: Confirmations
  captchas: Captchas
  devices: KnownDevices
  passwords: Passwords
  guard: PasswordGuard
  phones: Phones
  users: Users
  user: Profiles['view']
  profiles: Profiles
}
const pruneEveryMs = 10 * minuteMs

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
    venueName: settings.operatorConfig.name,
  })
  const factors = createFactorCore({ ...parts, tables: memberFactors })
  const factorLogins = createFactorLogins({ ...parts, factors, devices, users })
  const confirmations = createConfirmations({ db, guard, factors })
  const profiles = createProfiles({ ...parts, users, confirmations })
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
      secondStep: (tx, row) => factorLogins.secondStep(tx, row),
    }),
    factors,
    factorLogins,
    confirmations,
    captchas,
    devices,
    passwords,
    guard,
    phones,
    users,
    user: profiles.view,
    profiles,
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

/** The calls about sessions and the member. */
function mountRoutes(app: FastifyInstance, parts: MembersParts, members: Members): void {
  const { sessions, settings } = parts
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

  const login: LoginRequests = {
    origin: (request, ip) => ({
      device: deviceName(request.headers['user-agent']),
      ip,
      deviceCookie: deviceCookieOf(request),
    }),
    answer: async (request, reply, { sid, deviceCookie, ...answer }, current) => {
      if (current) await sessions.end(current.memberId, current.sessionId, 'revoked')
      setSid(request, reply, sid, sessionTtlMs)
      setDeviceCookie(request, reply, deviceCookie, knownDeviceTtlMs)
      return answer
    },
  }
  mount(app, authRoutes.login, async ({ body, member: current, ip, request, reply }) =>
    login.answer(request, reply, await logIn(body, login.origin(request, ip)), current),
  )
  mountFactorLogins(app, members, login)
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
  mount(app, memberRoutes.patchMe, ({ member, body, request }) =>
    members.profiles.update(member, body, () => partyOf(request)),
  )
}
