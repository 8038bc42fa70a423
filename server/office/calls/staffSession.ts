import type { FastifyReply } from 'fastify'
import type * as z from 'zod/mini'
import { callsOf } from '../../../contract/office/roles.ts'
import { staffSessionRoutes as routes, type StaffSession } from '../../../contract/office/staff.ts'
import type { passkeyCreationOptions, passkeyRequestOptions } from '../../../contract/passkeys.ts'
import { ApiError } from '../../platform/apiError.ts'
import {
  clearStaffSid,
  setStaffDeviceCookie,
  setStaffSid,
  staffDeviceCookieOf,
} from '../../platform/http/sessionCookie.ts'
import { deviceName, knownDeviceTtlMs } from '../../members/index.ts'
import { partyOf } from '../../platform/http/requestParty.ts'
import {
  staffIdleMs,
  staffSessionTtlMs,
  toStaffView,
  type OpenedStaffSession,
  type Staff,
  type StaffOrigin,
  type StaffPrincipal,
} from '../staff/staff.ts'
import type { OfficeCall } from './officeCall.ts'
import type { OfficeSettings } from '../settings.ts'

export type StaffSessionParts = {
  staff: Staff
  settings: Pick<OfficeSettings, 'mode' | 'currency' | 'zone' | 'staffSecondFactor'>
}

/** The staff's own login, password and second factors. Open to every role. */
export function mountStaffSession(call: OfficeCall, parts: StaffSessionParts): void {
  const { staff } = parts
  const { sessions, accounts } = staff
  const begin = async (
    reply: FastifyReply,
    { sid, deviceCookie }: OpenedStaffSession,
  ): Promise<StaffSession> => {
    const principal = await sessions.find(sid, false)
    if (!principal) throw new ApiError('UNAUTHENTICATED')
    setStaffSid(reply.request, reply, sid, staffSessionTtlMs)
    setStaffDeviceCookie(reply.request, reply, deviceCookie, knownDeviceTtlMs)
    return viewOf(parts, principal)
  }
  const isOpen = true
  call(routes.show, async ({ reply }) => viewOf(parts, principalOf(reply)), { isPolling: true })
  call(routes.logIn, async ({ body, reply }) => begin(reply, await staff.logIn(body, originOf(reply))), {
    isOpen,
  })
  call(
    routes.beginPasskeyLogIn,
    async ({ reply }) => {
      const issued = await staff.beginPasskeyLogIn(partyOf(reply.request))
      return { ...issued, options: issued.options as z.input<typeof passkeyRequestOptions> }
    },
    { isOpen },
  )
  call(
    routes.passkeyLogIn,
    async ({ body, reply }) =>
      begin(reply, await staff.passkeyLogIn(partyOf(reply.request), body, originOf(reply))),
    { isOpen },
  )
  call(routes.logOut, async ({ reply }) => {
    await sessions.end(principalOf(reply))
    clearStaffSid(reply.request, reply)
    return undefined
  })
  call(routes.password, async ({ body, reply }) => {
    const principal = principalOf(reply)
    const passwords = { old: body.oldPassword, new: body.newPassword }
    const { request } = reply
    const cookie = await staff.changePassword(principal, passwords, staffDeviceCookieOf(request))
    setStaffDeviceCookie(request, reply, cookie, knownDeviceTtlMs)
    return undefined
  })
  call(routes.checkEnrolment, ({ body }) => accounts.checkEnrolment(body.code), { isOpen })
  call(
    routes.enrol,
    async ({ body, reply }) => begin(reply, await staff.enrol(body.code, body.password, originOf(reply))),
    { isOpen },
  )
  mountFactors(call, staff)
}

function mountFactors(call: OfficeCall, staff: Staff): void {
  const { factors } = staff
  /** Whose factors, once the password is right. */
  const confirmed = async (reply: FastifyReply, { password }: { password: string }) => {
    const principal = principalOf(reply)
    await staff.confirm(principal, password)
    return principal
  }
  call(routes.factors, ({ reply }) => factors.view(principalOf(reply).staff.id))
  call(routes.beginTotp, async ({ body, reply }) => {
    const { id, ...setup } = factors.beginTotp(await confirmed(reply, body))
    return { ...setup, setupId: id }
  })
  call(routes.addTotp, async ({ body, reply }) => ({
    recoveryCodes: await factors.addTotp(principalOf(reply), body.setupId, body.code),
  }))
  call(routes.removeTotp, async ({ body, reply }) => {
    await factors.removeTotp(await confirmed(reply, body))
    return undefined
  })
  call(routes.beginPasskey, async ({ body, reply }) => {
    const party = partyOf(reply.request)
    const issued = await factors.beginPasskey(await confirmed(reply, body), party)
    return { ...issued, options: issued.options as z.input<typeof passkeyCreationOptions> }
  })
  call(routes.addPasskey, ({ body, reply }) =>
    factors.addPasskey(principalOf(reply), partyOf(reply.request), body),
  )
  call(routes.removePasskey, async ({ params, body, reply }) => {
    await factors.removePasskey(await confirmed(reply, body), params.id)
    return undefined
  })
}

function viewOf({ staff, settings }: StaffSessionParts, principal: StaffPrincipal): StaffSession {
  const { sid, staff: row, expiresAt, hasSecondFactor } = principal
  const needsSecondFactor = settings.staffSecondFactor && !hasSecondFactor
  return {
    staff: toStaffView(row),
    csrfToken: staff.sessions.csrfToken(sid),
    needsSecondFactor,
    expiresAt,
    idleMs: staffIdleMs,
    calls: needsSecondFactor ? [] : callsOf(row.role),
    mode: settings.mode,
    currency: settings.currency,
    zone: settings.zone,
  }
}

function principalOf({ request }: FastifyReply): StaffPrincipal {
  if (!request.staffPrincipal) throw new ApiError('UNAUTHENTICATED')
  return request.staffPrincipal
}

const originOf = ({ request }: FastifyReply): StaffOrigin => ({
  device: deviceName(request.headers['user-agent']),
  ip: request.ip,
  deviceCookie: staffDeviceCookieOf(request),
})
