import type { FastifyInstance } from 'fastify'
import { authRoutes, registerCheckOf } from '../../../contract/auth.ts'
import { memberRoutes } from '../../../contract/member.ts'
import { minuteMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import { practiceBalanceOf, type MoneySettings } from '../../money/settings.ts'
import type { Ledger } from '../../money/index.ts'
import { chosenLanguage } from '../../platform/http/requestLanguage.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { memberFactors } from '../schema.ts'
import { mount } from '../../platform/http/mount.ts'
import { clearSid, deviceCookieOf, setDeviceCookie, setSid } from '../../platform/http/sessionCookie.ts'
import type { Messages } from '../../notices/index.ts'
import type { Module } from '../../platform/module.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { createConfirmations } from '../secondFactor/confirmations.ts'
import type { Confirmations } from '../../platform/http/confirmations.ts'
import { createFactorCore, type FactorCore } from '../secondFactor/factorCore.ts'
import { partyOf } from '../../platform/http/requestParty.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { accountKey } from './account.ts'
import { createAllowances, type Allowances } from './allowances.ts'
import { createCaptchas, type Captchas } from './captcha.ts'
import { deviceName } from './deviceName.ts'
import {
  createFactorLogins,
  mountFactorLogins,
  type FactorLogins,
  type LoginRequests,
} from './factorLogin.ts'
import { createKnownDevices, knownDeviceTtlMs, type KnownDevices } from './knownDevices.ts'
import { createLogIn, type LogIn } from './login.ts'
import type { LoginHistory } from './loginHistory.ts'
import { createLoginAttempts } from './loginAttempts.ts'
import { createPasswordGuard, type PasswordGuard, wrongPasswordsJob } from './passwordGuard.ts'
import type { Passwords } from './passwords.ts'
import { createPhones, type Phones } from './phone.ts'
import { createProfiles, type Profiles } from './profile.ts'
import { createRegisterTokens } from './registerToken.ts'
import { createRegistration, type Registration } from './registration.ts'
import { sessionTtlMs, type Sessions } from './sessions.ts'
import { createUsers, type Users } from './user.ts'
import { createWorkChallenges, type WorkChallenges } from './workChallenges.ts'
import type { MembersConfig, MembersSettings } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

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
  /** `rateLimits`: whether what an address does makes devices there work. */
  settings: Pick<MembersSettings, 'openingCode' | 'mode' | 'rateLimits'> &
    Pick<MoneySettings, 'practiceBalance'> &
    OperatorSettings<MembersConfig, 'name' | 'phoneRules' | 'freePerAddress'>
}

/** Registration, login and the profile of members. */
export type Members = {
  registration: Registration
  logIn: LogIn
  /** Passkeys, authenticator apps and recovery codes. */
  factors: FactorCore
  factorLogins: FactorLogins
  confirmations: Confirmations
  captchas: Captchas
  works: WorkChallenges
  allowances: Allowances
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
  const works = createWorkChallenges({ db, clock, random, secret })
  const allowances = createAllowances(clock, settings)
  const addressWorkThreshold = settings.rateLimits
    ? settings.operatorConfig.freePerAddress.logInsAMinute
    : null
  const attempts = createLoginAttempts({ db, clock, addressWorkThreshold, secret })
  const devices = createKnownDevices('members', secret, clock, random)
  const phones = createPhones(secret, random)
  const users = createUsers(secret, random)
  const registration = createRegistration({
    ...parts,
    phones,
    works,
    allowances,
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
      works,
      allowances,
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
    works,
    allowances,
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
      wrongPasswordsJob(parts),
      { name: 'prune used captchas', everyMs: pruneEveryMs, run: () => captchas.prune(parts.fence) },
    ],
  }
}

/** The calls about sessions and the member. */
function mountRoutes(app: FastifyInstance, parts: MembersParts, members: Members): void {
  const { sessions, settings } = parts
  const { registration, captchas, devices, logIn } = members

  const step1 = { ...authRoutes.registerCheck, body: registerCheckOf(settings.operatorConfig.phoneRules) }
  mount(app, step1, ({ body, ip }) => registration.check(body, ip))
  mount(app, authRoutes.register, async ({ body, ip, request, reply }) => {
    const { memberId, account } = await registration.open(body, ip)
    const cookie = devices.remember(deviceCookieOf(request), { account: accountKey(account), epoch: 0 })
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

  mount(app, memberRoutes.me, ({ member, request }) =>
    members.profiles.start(member.memberId, chosenLanguage(request.headers)),
  )
  mount(app, memberRoutes.patchMe, ({ member, body, request }) =>
    members.profiles.update(member, body, () => partyOf(request)),
  )
}
