import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callRoles, type OfficeCallName } from '../../../contract/office/roles.ts'
import { actorName } from '../../../contract/office/schema.ts'
import { isOneScript } from '../../../contract/office/staff.ts'
import { asOffice } from '../../platform/db/roles/roleContext.ts'
import { createRateLimiter } from '../../platform/http/rateLimiter.ts'
import { hasKey, isLocal } from '../../platform/http/loopback.ts'
import { staffSidOf } from '../../platform/http/sessionCookie.ts'
import type { ActLog } from '../../notices/index.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Clock } from '../../platform/ports.ts'
import { isNameOfVenue, type Staff, type StaffPrincipal } from '../staff/staff.ts'

export type GuardParts = {
  clock: Pick<Clock, 'now'>
  actLog: Pick<ActLog, 'refused'>
  deskKey: string
  /** Whether other machines may use the office. */
  allowsRemote: boolean
  mode: 'practice' | 'live'
  /** Whether the staff may work only with a second factor. */
  requiresSecondFactor: boolean
  staff: { sessions: Pick<Staff['sessions'], 'find' | 'csrfMatches'> } & {
    accounts: Pick<Staff['accounts'], 'isLikeOne' | 'countActive'>
  }
}

/** What the guard needs to know about a route of the office. */
export type GuardedCall = {
  /** Its `noun.verb`; null for the calls about the caller's own session, which every role may make. */
  name: OfficeCallName | null
  /** Answered without a login. */
  isOpen?: boolean
  /** The page makes this call by itself, always, so it does not keep a session alive. */
  isPolling?: boolean
}

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  interface FastifyRequest {
    /** Who acts in the office, as recorded in the act log; empty elsewhere. */
    officeActor: string
    /** The session of the member of staff who acts; null with the key. */
    staffPrincipal: StaffPrincipal | null
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  interface FastifyContextConfig {
    office?: GuardedCall
  }
}

/** The actor if the request names none, which is allowed only in practice mode. */
const defaultActor = 'desk'
/** With fewer admins no one could add the second person that approvals require, so the key may. */
const adminsForFourEyes = 2
const setUpCalls: ReadonlySet<OfficeCallName | null> = new Set(['staff.list', 'staff.create', 'staff.enrol'])

/**
 * Guards every route of a scope. Other machines get 404, unless allowed. A request acts for a member of staff, by the
 * session cookie or the token of the command line, or with the desk key. The key's failures are rejected and rate limited;
 * the right key always passes, even after failed tries. The key has 256 bits or was chosen with at least 16 characters, so
 * ten tries a minute are useless. It has its own rate limiter, so that it works even if the venue's rate limits are off.
 */
export function guardCalls(scope: FastifyInstance, parts: GuardParts): void {
  const failures = createRateLimiter(parts.clock)
  scope.decorateRequest('officeActor', '')
  scope.decorateRequest('staffPrincipal', null)
  scope.addHook('onRequest', async (request) => {
    if (!parts.allowsRemote && !isLocal(request)) throw new ApiError('NOT_FOUND')
    const call = request.routeOptions.config.office ?? { name: null }
    if (call.isOpen === true) return
    await asOffice(() => authenticate(request, call))
  })
  // A body may arrive a minute after the headers: a person who lost the permission meanwhile changes nothing.
  scope.addHook('preHandler', async (request) => {
    if (request.method !== 'GET' && request.staffPrincipal)
      request.staffPrincipal = await asOffice(() => stillThere(parts, request.staffPrincipal))
  })
  // What a person tried and may not do is seen by those who supervise.
  scope.addHook('onError', async (request, _reply, error) => {
    const { name } = request.routeOptions.config.office ?? { name: null }
    if (!request.staffPrincipal || name === null || !(error instanceof ApiError)) return
    if (error.code !== 'FORBIDDEN' && error.code !== 'SECOND_PERSON') return
    const { code } = error
    await asOffice(() => parts.actLog.refused(request.officeActor, name, code))
  })
  const authenticate = async (request: FastifyRequest, call: GuardedCall): Promise<void> => {
    const { authorization } = request.headers
    if (authorization === undefined || sessionTokenOf(authorization) !== undefined)
      return authenticateStaff(request, parts, call)
    if (!hasKey(request, parts.deskKey)) {
      failures.take('deskKey', request.ip)
      throw new ApiError('UNAUTHENTICATED')
    }
    request.officeActor = await keyActor(request, parts)
    await assertKeyMay(parts, call)
  }
}

/** The session of a command line: `Authorization: Session` and the id that a browser has as a cookie. */
const sessionTokenOf = (authorization: string | undefined): string | undefined =>
  /^session (\S+)$/i.exec(authorization ?? '')?.[1]

/** Whether the page says that a timer of its makes the request, and no person. */
const isUnattended = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && headers['x-unattended'] !== undefined

/** @throws ApiError `UNAUTHENTICATED`, `CSRF`, `FORBIDDEN` outside the role, `SECOND_FACTOR_REQUIRED` */
async function authenticateStaff(
  request: FastifyRequest,
  parts: GuardParts,
  call: GuardedCall,
): Promise<void> {
  const token = sessionTokenOf(request.headers.authorization)
  const sid = token ?? staffSidOf(request)
  const { sessions } = parts.staff
  const isUse = call.isPolling !== true && !isUnattended(request)
  const principal = sid === undefined ? null : await sessions.find(sid, isUse)
  if (!principal) throw new ApiError('UNAUTHENTICATED')
  // No browser adds a token to what another page sends; it does add the cookie.
  if (request.method !== 'GET' && token === undefined) {
    const csrf = request.headers['x-csrf-token']
    if (typeof csrf !== 'string' || !sessions.csrfMatches(principal.sid, csrf)) throw new ApiError('CSRF')
  }
  request.staffPrincipal = principal
  request.officeActor = principal.staff.name
  if (call.name !== null && !callRoles[call.name].includes(principal.staff.role))
    throw new ApiError('FORBIDDEN')
  if (call.name !== null && parts.requiresSecondFactor && !principal.hasSecondFactor)
    throw new ApiError('SECOND_FACTOR_REQUIRED')
}

/** @throws ApiError `UNAUTHENTICATED` if the session has ended since; with another role it has */
async function stillThere({ staff }: GuardParts, before: StaffPrincipal | null): Promise<StaffPrincipal> {
  const now = before && (await staff.sessions.find(before.sid, false))
  if (!now) throw new ApiError('UNAUTHENTICATED')
  return now
}

/**
 * The key may do everything in practice mode. In live mode only until there is staff, and then what sets up
 * the persons that four eyes need.
 */
async function assertKeyMay({ mode, staff }: GuardParts, { name }: GuardedCall): Promise<void> {
  // The calls about the caller's own session have none here.
  if (name === null) throw new ApiError('UNAUTHENTICATED')
  if (mode === 'practice') return
  const active = await staff.accounts.countActive()
  if (active.all === 0 || (active.admins < adminsForFourEyes && setUpCalls.has(name))) return
  throw new ApiError('FORBIDDEN')
}

/**
 * The name that a request with the key states.
 * @throws ApiError `VALIDATION` for the field `as`, its name on the command line
 */
async function keyActor({ headers }: FastifyRequest, { mode, staff }: GuardParts): Promise<string> {
  const header = headers['desk-actor']
  if (header === undefined) {
    if (mode === 'live') throw new ApiError('VALIDATION', { fields: { as: 'REQUIRED' } })
    return defaultActor
  }
  const name = actorName.safeParse(tryDecode(String(header)))
  if (!name.success || !isOneScript(name.data))
    throw new ApiError('VALIDATION', { fields: { as: 'INVALID' } })
  // A member of staff signs with their own login only, and the venue with its own acts.
  const isOthers = name.data !== defaultActor && (await isNameOfVenue(name.data))
  if (isOthers || (await staff.accounts.isLikeOne(name.data)))
    throw new ApiError('VALIDATION', { fields: { as: 'INVALID' } })
  return name.data
}

function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
