import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import * as z from 'zod/mini'
import { keyPattern, type Route, type RouteReply, type RouteRequest } from '../../../contract/route.ts'
import type { Principal, StoredAnswer } from '../ports.ts'
import { describeRoute } from './openApi.ts'
import { answerCost, unknownSessionCost, type RateLimitName } from './rateLimiter.ts'
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
  'POST /auth/login/passkey': 'login',
  'POST /auth/login/second-factor': 'login',
  'POST /auth/login/passkey/challenge': 'login',
  'POST /auth/register/check': 'registration',
  'POST /auth/recoveries': 'recovery',
  'POST /auth/recoveries/complete': 'recovery',
  'POST /auth/register': 'registration',
  'POST /auth/password-requests': 'passwordRequests',
  'GET /captcha': 'captcha',
  'POST /uploads': 'uploads',
  'GET /me/export': 'exports',
}
/** The rates that are per member instead of per address. */
const perMemberRateLimits: ReadonlySet<RateLimitName> = new Set([
  'orders',
  'uploads',
  'passwordRequests',
  'exports',
])

export type MountOptions = {
  /**
   * Whether the effect of a keyed request finds a used key by itself, by a unique constraint. Then the key is looked up
   * only if the request fails: a new key costs no query.
   */
  effectFindsKey?: boolean
  /** Adds to the first answer of a key, found after its request failed, what it was sent with and is not stored. */
  completeReplay?: (stored: StoredAnswer, member: Principal) => Promise<StoredAnswer>
}

/** A route without a body also accepts an empty object, from tools that always send one. One without a query accepts none. */
export const nothing = z.strictObject({})

/**
 * Mounts one route of the contract below `/api`. In order: session 401, member and CSRF token 403, idempotency replay, freeze
 * 423, rate 429, validation 400, session and freeze again, then the handler, whose result is sent with the route's status; it throws `ApiError`. What the answer
 * costs beyond one token is charged once it is known.
 */
export function mount<const R extends Route>(
  app: FastifyInstance,
  route: R,
  handler: (context: HandlerContext<R>) => Promise<RouteReply<R> | EncodedAnswer | FastifyReply>,
  { effectFindsKey = false, completeReplay }: MountOptions = {},
): void {
  const limit = routeRateLimits[`${route.method} ${route.path}`]
  const byAddress = limit !== undefined && !perMemberRateLimits.has(limit)
  app.route({
    method: route.method,
    url: `/api${route.path}`,
    schema: schemaOf(route),
    // The handler throws what the validation found: it may first have to look up the key.
    attachValidation: effectFindsKey,
    config: { route, costly: route.costly === true, ...(byAddress && { addressRate: limit }) },
    onRequest: async (request) => {
      await authenticate(request, route)
      if (!route.keyed) takeToken(request, limit)
    },
    preValidation: async (request, reply) => {
      if (!route.keyed) return undefined
      const first = await lockKey(request, effectFindsKey, completeReplay)
      if (first) return replayStored(reply, first)
      try {
        assertNotFrozen(request, route)
        takeToken(request, limit)
      } catch (refusal) {
        const stored = await findDeferred(request, refusal)
        request.lockedKey?.release()
        return replayStored(reply, stored)
      }
      return undefined
    },
    onError: async (request) => request.lockedKey?.release(),
    handler: async (request, reply) => {
      try {
        await authenticateAgain(request, route)
        const refusal = freezeOf(request, route) ?? request.validationError
        const answer = refusal
          ? replayStored(reply, await findDeferred(request, refusal))
          : await handler(handlerContextOf<R>(request, reply))
        if (reply.hasHeader(replayedHeader)) returnToken(request, limit)
        if (answer === reply || reply.sent) return reply
        chargeAnswer(request, answerCost(answer))
        return await reply.code(route.status).send(answer ?? undefined)
      } finally {
        request.lockedKey?.release()
      }
    },
  })
}

const replayedHeader = 'Idempotent-Replayed'

/** Sends the first answer to a key again. */
export function replayStored(reply: FastifyReply, { status, body }: StoredAnswer): FastifyReply {
  return reply.code(status).header(replayedHeader, 'true').send(body)
}

function schemaOf(route: Route): FastifySchema {
  return {
    ...describeRoute(route),
    ...(route.params && { params: route.params }),
    querystring: route.query ?? nothing,
    ...(route.method !== 'GET' && { body: route.body ?? nothing }),
  }
}

/**
 * Finds the session of the cookie. Member routes need one, and changing requests also need its CSRF token. One that names
 * its member is refused if another one has logged in meanwhile: what it confirms was shown to the first.
 */
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
  const openedFor = request.headers['x-member-id']
  if (openedFor !== undefined && openedFor !== session.memberId) throw new ApiError('OTHER_MEMBER')
  const token = request.headers['x-csrf-token']
  if (typeof token !== 'string' || !authenticator.csrfMatches(session.csrfHash, token)) {
    throw new ApiError('CSRF')
  }
  // The first answer to a key is looked up before: it stays valid, whatever happened to the account since.
  if (!route.keyed) assertNotFrozen(request, route)
}

/** The body may come long after the head: the session may have ended meanwhile. */
async function authenticateAgain(request: FastifyRequest, route: Route): Promise<void> {
  if (!route.member || route.method === 'GET') return
  const { sessionId } = requirePrincipal(request)
  const session = await request.server.requestContext.authenticator.findBySid(sidOf(request) ?? '')
  if (session?.sessionId !== sessionId) throw new ApiError('UNAUTHENTICATED')
}

/** Why a frozen account may not make this call; null if it may. */
function freezeOf(request: FastifyRequest, route: Route): ApiError | null {
  if (!route.unlessFrozen) return null
  const until = request.server.requestContext.freezes.frozenUntil(requirePrincipal(request).memberId)
  return until === null ? null : new ApiError('ACCOUNT_FROZEN', { params: { until } })
}

function assertNotFrozen(request: FastifyRequest, route: Route): void {
  const refusal = freezeOf(request, route)
  if (refusal) throw refusal
}

/** Locks the key for this request. Returns its first answer if it has one, unless its lookup is deferred. */
async function lockKey(
  request: FastifyRequest,
  deferLookup: boolean,
  complete: NonNullable<MountOptions['completeReplay']> = async (stored) => stored,
): Promise<StoredAnswer | null> {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || !keyPattern.test(key)) throw new ApiError('IDEMPOTENCY_KEY_REQUIRED')
  const member = requirePrincipal(request)
  const { memberId, sessionId } = member
  const { idempotency, rateLimiter } = request.server.requestContext
  rateLimiter.take('keys', sessionId)
  const { method, body } = request
  const path = canonicalPath(request)
  const result = await idempotency.begin(memberId, method, path, key.toLowerCase(), body, deferLookup)
  if ('replay' in result) return complete(result.replay, member)
  const { release, find } = result
  const findComplete = async (): Promise<StoredAnswer | null> => {
    const stored = await find()
    return stored && complete(stored, member)
  }
  request.lockedKey = {
    release: () => {
      request.lockedKey = null
      release()
    },
    find: deferLookup ? findComplete : async () => null,
  }
  return null
}

/** The first answer to a key whose lookup was deferred. @throws the error of this request if it has none */
async function findDeferred(request: FastifyRequest, error: unknown): Promise<StoredAnswer> {
  const stored = await request.lockedKey?.find()
  if (!stored) throw error
  return stored
}

/** Takes the request's token; a request that counts by address has already paid (`admission.ts`). */
function takeToken(request: FastifyRequest, limit: RateLimitName | undefined): void {
  const { rateLimiter } = request.server.requestContext
  const { principal } = request
  if (limit && perMemberRateLimits.has(limit)) rateLimiter.take(limit, requirePrincipal(request).memberId)
  else if (!limit && principal) rateLimiter.take('session', principal.sessionId)
}

/** Returns what {@link takeToken} took: replays do not count. */
function returnToken({ principal, server }: FastifyRequest, limit: RateLimitName | undefined): void {
  if (limit && principal) server.requestContext.rateLimiter.charge(limit, principal.memberId, -1)
  else if (principal) server.requestContext.rateLimiter.charge('session', principal.sessionId, -1)
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
