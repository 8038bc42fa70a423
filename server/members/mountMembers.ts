import type { FastifyInstance, FastifyRequest } from 'fastify'
import { registerCheckOf, sessionRoutes } from '../../contract/session.ts'
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

  const step1 = { ...sessionRoutes.registerCheck, body: registerCheckOf(members.phoneRules) }
  mount(app, step1, ({ body }) => registration.check(body))
  mount(app, sessionRoutes.register, async ({ body, ip, request, reply }) => {
    const { memberId, account } = await registration.open(body, ip)
    const cookie = devices.remember(deviceCookieOf(request), accountKey(account))
    setDeviceCookie(request, reply, cookie, knownDeviceTtlMs)
    return { memberId }
  })
  mount(app, sessionRoutes.captcha, () => captchas.issue())

  mount(app, sessionRoutes.login, async ({ body, member: current, ip, request, reply }) => {
    const from = { ...deviceOf(request, ip), deviceCookie: deviceCookieOf(request) }
    const { sid, deviceCookie, ...answer } = await logIn(body, from)
    if (current) await sessions.end(current.memberId, current.sessionId, 'revoked')
    setSid(request, reply, sid, sessionTtlMs)
    setDeviceCookie(request, reply, deviceCookie, knownDeviceTtlMs)
    return answer
  })
  mount(app, sessionRoutes.logout, async ({ member: { memberId, sessionId }, request, reply }) => {
    await sessions.end(memberId, sessionId, 'logout')
    clearSid(request, reply)
    return undefined
  })

  mount(app, sessionRoutes.sessions, (context) => sessions.list(context.member))
  mount(
    app,
    sessionRoutes.endSession,
    async ({ member: { memberId, sessionId }, params, request, reply }) => {
      const own = params.id === sessionId
      if (!(await sessions.end(memberId, params.id, own ? 'logout' : 'revoked'))) {
        throw new ApiError(404, 'NOT_FOUND')
      }
      if (own) clearSid(request, reply)
      return undefined
    },
  )

  mount(app, sessionRoutes.me, (context) => members.user(context.member.memberId))
  mount(app, sessionRoutes.patchMe, (context) => members.updateProfile(context.member.memberId, context.body))
}

function deviceOf(request: FastifyRequest, ip: string): Device {
  return { device: deviceName(request.headers['user-agent']), ip }
}
