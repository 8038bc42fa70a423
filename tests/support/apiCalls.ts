import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { routes } from '../../contract/routes.ts'
import type { Route } from '../../contract/route.ts'
import { errorCodesOf } from '../../server/platform/http/openApi.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Reply<T = unknown> = {
  status: number
  body: T
  code: string | undefined
  fields: Record<string, string> | undefined
  params: Record<string, unknown> | undefined
  replayed: boolean
  text: string
  headers: Record<string, unknown>
}

export type ListAnswer<T> = { items: T[]; nextCursor: string | null }

/** The status, body and error of a response. */
export function replyOf<T>(answer: LightMyRequestResponse): Reply<T> {
  const json = answer.headers['content-type']?.toString().startsWith('application/json') === true
  const parsed = json && answer.body !== '' ? JSON.parse(answer.body) : undefined
  return {
    status: answer.statusCode,
    body: parsed as T,
    code: parsed?.error?.code,
    fields: parsed?.error?.fields,
    params: parsed?.error?.params,
    replayed: answer.headers['idempotent-replayed'] === 'true',
    text: answer.body,
    headers: answer.headers,
  }
}

const patterns = Object.values(routes).map((route: Route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
}))

/** @throws if a call returns an error code that OpenAPI does not list for it */
export function assertListed(method: string, path: string, code: string | undefined): void {
  if (code === undefined) return
  const [name = ''] = path.split('?')
  const called = patterns.find(({ route, pattern }) => route.method === method && pattern.test(name))
  if (!called || (errorCodesOf(called.route) as string[]).includes(code)) return
  throw new Error(`${method} ${called.route.path} returned ${code}, which contract/routeErrors.ts lacks`)
}

type Call = { body?: unknown; headers?: Record<string, string>; ip?: string }

/** One request to an app, as a visitor unless the headers have a session. */
export async function call<T = unknown>(
  app: FastifyInstance,
  method: Method,
  path: string,
  { body, headers = {}, ip }: Call = {},
): Promise<Reply<T>> {
  const answer = await app.inject({
    method,
    url: `/api${path}`,
    headers: { ...(ip !== undefined && { 'x-forwarded-for': ip }), ...headers },
    ...(body !== undefined && { payload: body as object }),
  })
  const reply = replyOf<T>(answer)
  assertListed(method, path, reply.code)
  return reply
}

export type MemberClient = {
  id: string
  sid: string
  token: string
  get<T = unknown>(path: string): Promise<Reply<T>>
  /** With a new idempotency key, unless one is passed. */
  post<T = unknown>(path: string, body?: unknown, key?: string): Promise<Reply<T>>
  send<T = unknown>(method: Method, path: string, body?: unknown): Promise<Reply<T>>
}

/** Requests of a member with a session. */
export function memberClient(
  app: FastifyInstance,
  random: { uuid(): string },
  { id, sid, token }: { id: string; sid: string; token: string },
): MemberClient {
  const headers = { cookie: `sid=${sid}`, 'x-csrf-token': token }
  return {
    id,
    sid,
    token,
    get: (path) => call(app, 'GET', path, { headers: { cookie: `sid=${sid}` } }),
    post: (path, body, key = random.uuid()) =>
      call(app, 'POST', path, { body, headers: { ...headers, 'idempotency-key': key } }),
    send: (method, path, body) => call(app, method, path, { body, headers }),
  }
}

export type OfficeCall = {
  body?: unknown
  /** The name of the operator; null sends none. */
  as?: string | null
  headers?: Record<string, string>
  remote?: string
}

/** A request of the office, with its key, and as operator `mei` unless the options say otherwise. */
export async function officeCall<T>(
  app: FastifyInstance,
  key: string,
  method: 'GET' | 'POST',
  path: string,
  { body, as: actor = 'mei', headers = {}, remote }: OfficeCall,
): Promise<Reply<T>> {
  const answer = await app.inject({
    method,
    url: `/desk${path}`,
    ...(remote !== undefined && { remoteAddress: remote }),
    headers: {
      authorization: `Bearer ${key}`,
      ...(actor !== null && { 'desk-actor': encodeURIComponent(actor) }),
      ...headers,
    },
    ...(body !== undefined && { payload: body as object }),
  })
  return replyOf(answer)
}
