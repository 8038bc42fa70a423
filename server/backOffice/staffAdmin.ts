import type { FastifyReply } from 'fastify'
import { backOfficeRoutes } from '../../contract/backOffice.ts'
import { callsOf } from '../../contract/backOffice/roles.ts'
import { staffSessionRoutes } from '../../contract/backOffice/staff.ts'
import type { Proposal } from '../../contract/backOffice/fourEyes.ts'
import type { StaffRole, StaffSession } from '../../contract/backOffice/staff.ts'
import { ApiError } from '../apiError.ts'
import type { Settings } from '../config.ts'
import { clearStaffSid, setStaffSid } from '../http/sessionCookie.ts'
import { deviceName } from '../members/deviceName.ts'
import { staffIdleMs, staffSessionTtlMs, toStaffView } from '../staff/staff.ts'
import type { Staff, StaffChange, StaffOrigin, StaffPrincipal } from '../staff/staff.ts'
import { personOf } from './acts.ts'
import type { Acts } from './acts.ts'
import type { BackOfficeCall } from './backOfficeCall.ts'

export type StaffAdminParts = {
  staff: Staff
  acts: Acts
  settings: Pick<Settings, 'mode' | 'currency' | 'zone'>
}

/** The staff's accounts, and their own log-in. */
export function mountStaffAdmin(call: BackOfficeCall, parts: StaffAdminParts): void {
  const { acts } = parts
  const { accounts } = parts.staff
  const { staff: routes } = backOfficeRoutes
  call(routes.list, ({ query }) => accounts.list(query))
  call(routes.create, async (context) => {
    const { name, role } = context.body
    await accounts.assertNameFree(name)
    const request = { subject: { kind: 'staff', id: name }, params: { name, role } }
    return changeOf(await acts.createStaff(request, personOf(context), isSecondPersonPossible(context)))
  })
  call(routes.role, async (context) => {
    const { id, name } = await accounts.find(context.params.id)
    const request = { subject: { kind: 'staff', id }, params: { name, role: context.body.role } }
    return changeOf(await acts.setStaffRole(request, personOf(context)))
  })
  call(routes.disable, async ({ params, actor }) => ({
    ...(await accounts.disable(params.id, actor)),
    proposal: null,
  }))
  call(routes.enrol, async (context) => {
    const { id, name } = await accounts.find(context.params.id)
    const request = { subject: { kind: 'staff', id }, params: { name } }
    return changeOf(await acts.enrolStaff(request, personOf(context), isSecondPersonPossible(context)))
  })
  mountStaffSession(call, parts)
}

/** The desk key sets up the persons that four eyes need: the guard lets it in only as long as they are missing. */
const isSecondPersonPossible = ({ role }: { role: StaffRole | null }): boolean => role !== null

type ChangeResult = { done: StaffChange; proposal: null } | { done: null; proposal: Proposal }
const changeOf = ({ done, proposal }: ChangeResult) => ({
  staff: done?.staff ?? null,
  enrolment: done?.enrolment ?? null,
  proposal,
})

function mountStaffSession(
  call: BackOfficeCall,
  { staff, settings }: Pick<StaffAdminParts, 'staff' | 'settings'>,
): void {
  const { sessions, accounts } = staff
  const viewOf = ({ sid, staff: row, expiresAt, hasSecondFactor }: StaffPrincipal): StaffSession => ({
    staff: toStaffView(row),
    csrfToken: sessions.csrfToken(sid),
    hasSecondFactor,
    expiresAt,
    idleMs: staffIdleMs,
    calls: callsOf(row.role),
    mode: settings.mode,
    currency: settings.currency,
    zone: settings.zone,
  })
  const begin = async (reply: FastifyReply, { sid }: { sid: string }): Promise<StaffSession> => {
    const principal = await sessions.find(sid, false)
    if (!principal) throw new ApiError('UNAUTHENTICATED')
    setStaffSid(reply.request, reply, sid, staffSessionTtlMs)
    return viewOf(principal)
  }

  call(staffSessionRoutes.show, async ({ reply }) => viewOf(principalOf(reply)), { isPolling: true })
  call(
    staffSessionRoutes.logIn,
    async ({ body, reply }) => begin(reply, await staff.logIn(body, originOf(reply))),
    { isOpen: true },
  )
  call(staffSessionRoutes.logOut, async ({ reply }) => {
    await sessions.end(principalOf(reply).sessionId)
    clearStaffSid(reply.request, reply)
    return undefined
  })
  call(staffSessionRoutes.password, async ({ body, reply }) => {
    const { staff: row, sessionId } = principalOf(reply)
    const passwords = { old: body.oldPassword, new: body.newPassword }
    await staff.changePassword(row, passwords, reply.request.ip)
    await sessions.endOthers(row.id, sessionId)
    return undefined
  })
  call(staffSessionRoutes.setUpTotp, ({ body, reply }) =>
    staff.setUpTotp(principalOf(reply).staff, body.password, reply.request.ip),
  )
  call(staffSessionRoutes.addTotp, ({ body, reply }) =>
    staff.factors.add(principalOf(reply).staff, body.setupId, body.code),
  )
  call(staffSessionRoutes.checkEnrolment, ({ body }) => accounts.checkEnrolment(body.code), { isOpen: true })
  call(
    staffSessionRoutes.enrol,
    async ({ body, reply }) => begin(reply, await staff.enrol(body.code, body.password, originOf(reply))),
    { isOpen: true },
  )
}

function principalOf({ request }: FastifyReply): StaffPrincipal {
  if (!request.staffPrincipal) throw new ApiError('UNAUTHENTICATED')
  return request.staffPrincipal
}

const originOf = ({ request }: FastifyReply): StaffOrigin => ({
  device: deviceName(request.headers['user-agent']),
  ip: request.ip,
})
