import type { FastifyInstance, FastifyRequest } from 'fastify'
import { registerCheckOf, authRoutes } from '../../contract/auth.ts'
import { memberRoutes } from '../../contract/member.ts'
import { mount } from '../http/mount.ts'
import { ApiError } from '../apiError.ts'
import { clearSid, deviceCookieOf, setDeviceCookie, setSid } from '../http/sessionCookie.ts'
import { accountKey } from './account.ts'
import { deviceName } from './deviceName.ts'
import { knownDeviceTtlMs } from './knownDevices.ts'
import type { Members } from './members.ts'
import type { Device } from './sessions.ts'
import { sessionTtlMs } from './sessions.ts'

/** The calls about sessions and the member. */
export function mountMembers(app: FastifyInstance, members: Members): void {
  const { registration, captchas, devices, sessions, logIn } = members

  const step1 = { ...authRoutes.registerCheck, body: registerCheckOf(members.phoneRules) }
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
      throw new ApiError(404, 'NOT_FOUND')
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
