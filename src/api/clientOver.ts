import * as z from 'zod/mini'
import { errorBody } from '../../contract/errors.ts'
import { networkTimeoutMs } from '../../contract/constants.ts'
import type { Route, RouteAnswer, RouteInput } from '../../contract/route.ts'
import type { Failure } from '../../streams/index.ts'
import type { Result } from './result.ts'

/** What the client needs from the session: `token` goes with every request that changes something. */
export type SessionPort = {
  token(): string | null
  /** Who is logged in. */
  memberId?: () => string | undefined
  /** Called when the venue answers that there is no session. */
  onEnded(): void
}

/** A request, below the address of all calls. */
export type Sent = {
  path: string
  method: Route['method']
  query?: Record<string, unknown>
  body?: Record<string, unknown>
  headers: Record<string, string>
  signal: AbortSignal
}
export type Received = {
  status: number
  /** Its JSON; undefined if it is none. */
  body: unknown
  /** The header `Server-Time`. */
  serverTime: string | null
}

/** Sends a request. It rejects with a TypeError if nothing answers. */
export type Send = (sent: Sent) => Promise<Received>

export type CallingOptions = {
  session: SessionPort
  /** For clients outside a browser, which store no cookies; a function gives those of each call. */
  headers?: Record<string, string> | (() => Record<string, string>)
  timeoutMs?: number
}

/**
 * `key` is the idempotency key of a call that moves money. `openedFor` is the member for whom the form was opened, if that
 * may be another one than now: the venue refuses what another member's session sends.
 */
export type CallOptions = { key?: string; openedFor?: string | undefined; signal?: AbortSignal }
export type Client = <R extends Route>(
  route: R,
  input: RouteInput<R>,
  options?: CallOptions,
) => Promise<Result<RouteAnswer<R>>>

type Input = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: Record<string, unknown>
}

const broken: Result<never> = { ok: false, failure: { kind: 'broken' } }

/**
 * The only way to the venue: sends a call described by a route of the contract, validates the answer by its schema and
 * turns everything else into a {@link Failure}. Never throws and never retries, because only the caller knows whether a
 * retry is safe.
 */
export function clientOver(
  send: Send,
  { session, headers = {}, timeoutMs = networkTimeoutMs }: CallingOptions,
): Client {
  return async (route, input, options = {}) => {
    const { params = {}, query, body } = input as Input
    if (route.member && session.token() === null) return { ok: false, failure: signedOut }
    const timeoutController = new AbortController()
    const timer = setTimeout(() => timeoutController.abort(), timeoutMs)
    const cancel = (): void => timeoutController.abort()
    options.signal?.addEventListener('abort', cancel)
    try {
      const received = await send({
        path: pathOf(route.path, params),
        method: route.method,
        ...(query ? { query } : {}),
        ...(body ? { body } : {}),
        headers: {
          ...(typeof headers === 'function' ? headers() : headers),
          ...headersOf(route, session, options),
        },
        signal: timeoutController.signal,
      })
      return resultOf(route, received, session)
    } catch (error) {
      return { ok: false, failure: timeoutController.signal.aborted ? { kind: 'timeout' } : failureOf(error) }
    } finally {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', cancel)
    }
  }
}

/** Without a token no member call is sent: a leftover cookie counts as logged out. */
const signedOut: Failure = {
  kind: 'rejected',
  status: 401,
  code: 'UNAUTHENTICATED',
  params: {},
  fields: {},
  at: 0,
}

export const pathOf = (path: string, params: Record<string, unknown>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

function headersOf(
  route: Route,
  session: SessionPort,
  { key, openedFor }: CallOptions,
): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json' }
  const [token, memberId] = [session.token(), openedFor ?? session.memberId?.()]
  if (route.method !== 'GET' && token !== null) headers['X-CSRF-Token'] = token
  if (route.method !== 'GET' && route.member && memberId !== undefined) headers['X-Member-Id'] = memberId
  if (key !== undefined) headers['Idempotency-Key'] = key
  return headers
}

function resultOf<R extends Route>(
  route: R,
  { status, body, serverTime }: Received,
  session: SessionPort,
): Result<RouteAnswer<R>> {
  const at = Number(serverTime ?? 0)
  if (status < 200 || status > 299)
    return { ok: false, failure: parseErrorResponse(session, { status, body, at }) }
  if (route.answer === null) return { ok: true, value: undefined as RouteAnswer<R>, at }
  const parsed = z.safeParse(route.answer, body)
  return parsed.success ? { ok: true, value: parsed.data as RouteAnswer<R>, at } : broken
}

/** The failure of an answer other than 2xx. A proxy's error page is a broken answer. */
export function parseErrorResponse(
  session: Pick<SessionPort, 'onEnded'>,
  answer: { status: number; body: unknown; at: number },
): Failure {
  const parsed = z.safeParse(errorBody, answer.body)
  if (!parsed.success) return { kind: 'broken' }
  const { code, params = {}, fields = {} } = parsed.data.error
  if (code === 'UNAUTHENTICATED') session.onEnded()
  return { kind: 'rejected', status: answer.status, code, params, fields, at: answer.at }
}

/** No network, or an answer that broke off. */
const failureOf = (error: unknown): Failure => ({ kind: error instanceof TypeError ? 'offline' : 'broken' })
