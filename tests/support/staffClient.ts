import type { FastifyInstance } from 'fastify'
import { TOTP } from 'otpauth'
import type { Proposal } from '../../contract/office/fourEyes.ts'
import type { StaffRole, StaffSession, StaffView } from '../../contract/office/staff.ts'
import { replyOf, type OfficeCall, type Method, type Reply } from './apiCalls.ts'

export const staffPassword = 'long enough to be one 9'

/** Requests of a member of staff with a session. */
export type StaffClient = {
  staff: StaffView
  cookie: string
  /** What proves later that this person has logged in on this device. */
  deviceCookie: string
  csrfToken: string
  call<T = Record<string, unknown>>(
    method: Method,
    path: string,
    request?: Pick<OfficeCall, 'body' | 'headers'>,
  ): Promise<Reply<T>>
  get<T = Record<string, unknown>>(path: string): Promise<Reply<T>>
  post<T = Record<string, unknown>>(path: string, body?: unknown): Promise<Reply<T>>
}

/** A request below `/desk` without key or session. */
export async function openOfficeCall<T>(
  app: FastifyInstance,
  method: Method,
  path: string,
  { body, headers = {} }: Pick<OfficeCall, 'body' | 'headers'> = {},
): Promise<Reply<T>> {
  const payload = body === undefined ? {} : { payload: body as object }
  return replyOf<T>(await app.inject({ method, url: `/desk${path}`, headers, ...payload }))
}

/** The client of a session that a login or an enrolment has opened. */
export function staffClientOf(app: FastifyInstance, opened: Reply<StaffSession>): StaffClient {
  const set = String(opened.headers['set-cookie'])
  const cookie = /\bstaff=[^;]+/.exec(set)?.[0] ?? ''
  const deviceCookie = /\bstaffDevice=[^;]+/.exec(set)?.[0] ?? ''
  const { staff, csrfToken } = opened.body
  const send: StaffClient['call'] = (method, path, { body, headers = {} } = {}) => {
    const own = { cookie, ...(method !== 'GET' && { 'x-csrf-token': csrfToken }), ...headers }
    return openOfficeCall(app, method, path, { body, headers: own })
  }
  return {
    staff,
    cookie,
    deviceCookie,
    csrfToken,
    call: send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, { body }),
  }
}

type VenueWithKey = {
  app: FastifyInstance
  office<T>(method: 'POST', path: string, request?: OfficeCall): Promise<Reply<T>>
}
let created = 0

/** Creates a member of staff with the desk key, who sets a password. */
export async function createStaff(
  venue: VenueWithKey,
  role: StaffRole,
  name = `${role}-${(created += 1)}`,
): Promise<StaffClient> {
  type Created = { enrolment: { code: string } }
  const { body } = await venue.office<Created>('POST', '/staff', { body: { name, role } })
  return enrolStaff(venue.app, body.enrolment.code)
}

/** Sets a password with an enrolment code. */
export async function enrolStaff(app: FastifyInstance, code: string): Promise<StaffClient> {
  const body = { code, password: staffPassword }
  const opened = await openOfficeCall<StaffSession>(app, 'POST', '/enrolment', { body })
  if (opened.status !== 201) throw new Error(`enrolment: ${opened.status} ${opened.text}`)
  return staffClientOf(app, opened)
}

/** Adds an authenticator app; `now` is the venue's time. */
export async function addStaffTotp(
  client: StaffClient,
  now: number,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await client.post<{ setupId: string; secret: string }>('/session/totp/setup', {
    password: staffPassword,
  })
  const { setupId, secret } = begun.body
  const code = new TOTP({ secret }).generate({ timestamp: now })
  const added = await client.post<{ recoveryCodes: string[] }>('/session/totp', { setupId, code })
  if (added.status !== 201) throw new Error(added.text)
  return { secret, recoveryCodes: added.body.recoveryCodes }
}

/** Opens a request, such as `/deposits/ID`, and approves it as the office does. */
export async function openAndApprove<T = Record<string, unknown>>(
  who: Pick<StaffClient, 'get' | 'post'>,
  path: string,
  body?: unknown,
): Promise<Reply<T>> {
  await openRequest(who, path)
  return who.post<T>(`${path}/approve`, body)
}

/** Opens a request with its pictures. */
export async function openRequest(who: Pick<StaffClient, 'get'>, path: string): Promise<void> {
  const { body } = await who.get(path)
  for (const name of ['proofUploadId', 'frontUploadId', 'backUploadId'])
    if (typeof body[name] === 'string') await who.get(`/uploads/${body[name]}`)
}

/** Opens what another person proposed, and confirms it as the office does. */
export async function openAndConfirm<T = Record<string, unknown>>(
  who: Pick<StaffClient, 'get' | 'post'>,
  { id, subject, memberId }: Pick<Proposal, 'id' | 'subject' | 'memberId'>,
): Promise<Reply<T>> {
  const isRequest = ['deposit', 'withdrawal', 'password-request'].includes(subject.kind)
  if (isRequest) await openRequest(who, `/${subject.kind}s/${subject.id}`)
  else if (memberId !== null) await who.get(`/members/${memberId}/facts`)
  return who.post<T>(`/proposals/${id}/confirm`)
}
