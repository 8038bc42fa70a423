import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import * as z from 'zod/mini'
import type { Route, RouteReply, RouteRequest } from '../../contract/route.ts'
import type { Principal } from '../ports.ts'
import { describeRoute, keyPattern } from './openApi.ts'
import { answerCost, unknownSessionCost } from './rateLimiter.ts'
import type { RateLimitName } from './rateLimiter.ts'
import { ApiError } from '../apiError.ts'
import { sidOf } from './sessionCookie.ts'

/** What a handler receives: the parsed parts of the request, and who sent it. */
export type HandlerContext<R extends Route> = RouteRequest<R> & {
  member: R extends { member: true } ? Principal : Principal | null
  ip: string
  /** The `Idempotency-Key` of a keyed request. */
  key: R extends { keyed: true } ? string : undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** An answer that is already encoded, or is produced while it is sent; its handler sets the media type. */
export type EncodedAnswer = Buffer | Readable

/** Routes with their own rate; all others count against the session, or the address if there is none. */
const routeRateLimits: Record<string, RateLimitName> = {
  'POST /orders': 'orders',
  'POST /auth/login': 'login',
  'POST /auth/register/check': 'registerCheck',
  'POST /auth/register': 'register',
  'POST /auth/password-requests': 'passwordRequests',
  'GET /captcha': 'captcha',
  'POST /uploads': 'uploads',
}
/** The rates that are per member instead of per address. */
const perMemberRateLimits: ReadonlySet<RateLimitName> = new Set(['orders', 'uploads', 'passwordRequests'])

/** A route without a body also accepts an empty object, from tools that always send one. */
const noBody = z.strictObject({})

/**
 * Mounts one route of the contract below `/api`. In order: session 401, CSRF token 403, idempotency replay, rate 429,
 * validation 400, then the handler, whose result is sent with the route's status; it throws `ApiError`. What the answer
 * costs beyond one token is charged once it is known.
 */
export function mount<const R extends Route>(
  app: FastifyInstance,
  route: R,
  handler: (context: HandlerContext<R>) => Promise<RouteReply<R> | EncodedAnswer>,
): void {
  const limit = routeRateLimits[`${route.method} ${route.path}`]
  const byAddress = limit !== undefined && !perMemberRateLimits.has(limit)
  app.route({
    method: route.method,
    url: `/api${route.path}`,
    schema: schemaOf(route),
    config: { route, costly: route.costly === true, ...(byAddress && { addressRate: limit }) },
    onRequest: async (request) => {
      await authenticate(request, route)
      if (!route.keyed) takeToken(request, limit)
    },
    preValidation: async (request, reply) => {
      if (!route.keyed) return undefined
      if (await replayOrLockKey(request, reply)) return reply
      takeToken(request, limit)
      return undefined
    },
    onError: async (request) => request.releaseKey?.(),
    handler: async (request, reply) => {
      try {
        const answer = await handler(handlerContextOf<R>(request, reply))
        if (reply.sent) return reply
        chargeAnswer(request, answerCost(answer))
        return await reply.code(route.status).send(answer ?? undefined)
      } finally {
        request.releaseKey?.()
      }
    },
  })
}

function schemaOf(route: Route): FastifySchema {
  return {
    ...describeRoute(route),
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    ...(route.method !== 'GET' && { body: route.body ?? noBody }),
  }
}

/** Finds the session of the cookie. Member routes need one, and changing requests also need its CSRF token. */
async function authenticate(request: FastifyRequest, route: Route): Promise<void> {
  const { authenticator, rateLimiter } = request.server.requestContext
  const sid = sidOf(request)
  const session = sid === undefined ? null : await authenticator.findBySid(sid)
  if (session) {
    request.principal = { memberId: session.memberId, sessionId: session.sessionId }
    const moved = request.inFlightCall?.moveToSession(session.sessionId) === true
    if (moved && !request.routeOptions.config.addressRate) rateLimiter.charge('visitor', request.ip, -1)
  } else if (sid !== undefined) rateLimiter.charge('visitor', request.ip, unknownSessionCost)
  if (!route.member) return
  if (!session) throw new ApiError('UNAUTHENTICATED')
  if (route.method === 'GET') return
  const token = request.headers['x-csrf-token']
  if (typeof token !== 'string' || !authenticator.csrfMatches(session.csrfHash, token)) {
    throw new ApiError('CSRF')
  }
}

/** Sends the first answer again if the key has one; otherwise locks the key for this request. */
async function replayOrLockKey(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || !keyPattern.test(key)) throw new ApiError('IDEMPOTENCY_KEY_REQUIRED')
  const { memberId, sessionId } = requirePrincipal(request)
  const { idempotency, rateLimiter } = request.server.requestContext
  rateLimiter.take('keys', sessionId)
  const path = canonicalPath(request)
  const result = await idempotency.begin(memberId, request.method, path, key.toLowerCase(), request.body)
  if ('replay' in result) {
    await reply.code(result.replay.status).header('Idempotent-Replayed', 'true').send(result.replay.body)
    return true
  }
  request.releaseKey = () => {
    request.releaseKey = null
    result.release()
  }
  return false
}

/** Takes the request's token; a request that counts by address has already paid (`admission.ts`). */
function takeToken(request: FastifyRequest, limit: RateLimitName | undefined): void {
  const { rateLimiter } = request.server.requestContext
  const { principal } = request
  if (limit && perMemberRateLimits.has(limit)) rateLimiter.take(limit, requirePrincipal(request).memberId)
  else if (!limit && principal) rateLimiter.take('session', principal.sessionId)
}

/** Charges what an answer costs beyond the token already taken, to the session or else the address. */
export function chargeAnswer({ principal, ip, server }: FastifyRequest, tokens: number): void {
  if (tokens <= 1) return
  if (principal) server.requestContext.rateLimiter.charge('session', principal.sessionId, tokens - 1)
  else server.requestContext.rateLimiter.charge('visitor', ip, tokens - 1)
}

/** The path of a request as its route spells it, with its parameters, so that all spellings of one path are equal. */
export function canonicalPath(request: FastifyRequest): string {
  const params = (request.params ?? {}) as Record<string, string>
  return (request.routeOptions.url ?? '').replace(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
}

function requirePrincipal(request: FastifyRequest): Principal {
  if (!request.principal) throw new ApiError('UNAUTHENTICATED')
  return request.principal
}

/** Fastify has replaced the raw parts with the schemas' output; here they get the route's types again. */
function handlerContextOf<R extends Route>(request: FastifyRequest, reply: FastifyReply): HandlerContext<R> {
  const key = request.headers['idempotency-key']
  return {
    params: request.params,
    query: request.query,
    body: request.body,
    member: request.principal,
    ip: request.ip,
    key: typeof key === 'string' ? key.toLowerCase() : undefined,
    request,
    reply,
  } as HandlerContext<R>
}
