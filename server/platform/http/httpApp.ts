import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import fastifySwagger from '@fastify/swagger'
import {
  LogController,
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify'
import * as z from 'zod/mini'
import { fieldErrors } from '../../../contract/errors.ts'
import { installAdmission } from './admission.ts'
import { trustProxyOption, type TrustProxy } from './clientAddress.ts'
import { exceedsDepth } from './jsonDepth.ts'
import { sendApiError, installErrorHandler } from './errorHandler.ts'
import type { RequestContext } from './requestContext.ts'
import { bareHeaders, installHeaders } from './headers.ts'
import { openApiOptions } from './openApi.ts'
import { isLocal } from './loopback.ts'
import { isOwnOrigin } from './origin.ts'
import { ApiError } from '../apiError.ts'
import { CountedWarnings } from '../countedWarnings.ts'
import { databaseOutages } from '../log.ts'
import type { LogCorruptError } from '../logCorruptError.ts'

const pluginTimeoutMs = 120_000

/** Request bodies are small; uploads have their own limit. */
const bodyMaxBytes = 64 * 1024
/** A request that takes longer is logged. */
const slowMs = 1000
/** A route that has not failed for so long is said to fail again. */
const forgetFailuresMs = 60_000
/** How deep lists and objects may be nested; our own bodies are a few levels deep. */
const depthMax = 16

export type HttpAppParts = {
  requestContext: RequestContext
  logger: FastifyBaseLogger
  /** Which proxies' headers are trusted: a number of hops, addresses, or none. */
  trustProxy: TrustProxy
  /** Another host for pictures, if the operator has one. */
  imageBaseHost: string
  /** A request has met a damaged place of the tick log. */
  onLogDamaged: (error: LogCorruptError) => void
}

/** The venue's HTTP server without routes: everything that applies to every request. */
export async function createHttpApp(parts: HttpAppParts): Promise<FastifyInstance> {
  const { requestContext } = parts
  const app: FastifyInstance = fastify({
    loggerInstance: parts.logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxyOption(parts.trustProxy),
    bodyLimit: bodyMaxBytes,
    genReqId: () => randomUUID(),
    // The URL cannot be parsed or is longer than any of ours. No hook has run, so the headers are set here.
    frameworkErrors: (_error, request, reply) => {
      reply.headers({ ...bareHeaders, 'Server-Time': requestContext.clock.now() })
      void sendApiError(new ApiError('NOT_FOUND'), request, reply)
    },
    routerOptions: { maxParamLength: 200 },
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // A start on a busy machine is slow, not broken.
    pluginTimeout: pluginTimeoutMs,
  })
  app.decorate('requestContext', requestContext)
  app.decorateRequest('principal', null)
  app.decorateRequest('lockedKey', null)
  app.decorateRequest('isCounted', false)
  app.setValidatorCompiler(({ schema, httpPart }) => compileValidator(schema as z.ZodMiniType, httpPart))
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  installJsonParser(app)
  installErrorHandler(app, {
    onLogDamaged: parts.onLogDamaged,
    onDatabaseTrouble: (trouble, request) => {
      request.isCounted = true
      databaseOutages(parts.logger).count(trouble, 'request', `${request.method} ${routeOf(request)}`)
    },
  })
  installRequestLog(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('Server-Time', requestContext.clock.now()).header('X-Request-Id', request.id)
    if (request.url.startsWith('/api') || request.url.startsWith('/desk'))
      reply.header('Cache-Control', 'no-store')
    const safe = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
    // The office at a node's own port has another origin than the members' app.
    const isOfficeHere = request.url.startsWith('/desk/') && isLocal(request)
    if (
      !safe &&
      !isOwnOrigin(request.headers.origin, requestContext.publicOrigin, request.host) &&
      !isOfficeHere
    )
      throw new ApiError('CSRF')
  })
  installHeaders(app, parts)
  await app.register(cookie)
  installAdmission(app)
  await app.register(fastifySwagger, openApiOptions)
  return app
}

/** Our own compilers are set above: Fastify need not load its own. */
function noCompiler(): never {
  throw new Error('a schema has no compiler')
}

/**
 * Validates the parts of a request with the contract's schemas. Errors have one code per field, and a missing body counts
 * as an empty one. A malformed id in the path returns 404, like an unknown id.
 */
function compileValidator(schema: z.ZodMiniType, part: string | undefined) {
  return (data: unknown) => {
    const parsed = z.safeParse(schema, data ?? {})
    const unstorable = parsed.success ? findNul(parsed.data, '') : null
    if (parsed.success && unstorable === null) return { value: parsed.data }
    if (part === 'params') return { error: new ApiError('NOT_FOUND') }
    const fields = parsed.success
      ? { ...(unstorable !== null && { [unstorable]: 'INVALID' }) }
      : fieldErrors(parsed.error.issues, data ?? {})
    return { error: new ApiError('VALIDATION', Object.keys(fields).length > 0 ? { fields } : {}) }
  }
}

/** The path of the first string with a NUL, which PostgreSQL cannot store; null if there is none. */
function findNul(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.includes('\0') ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    const innerPath = findNul(inner, path === '' ? name : `${path}.${name}`)
    if (innerPath !== null) return innerPath
  }
  return null
}

/** The pattern of a request's route, not its URL. */
const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? 'none'

/**
 * Logs requests that are slow, lack a permission, or fail; of a route that keeps failing the 1st, 2nd, 4th … failure.
 * What fails because of the database is counted there, and what a balancer polls has figures of its own. At level
 * debug, all.
 */
function installRequestLog(app: FastifyInstance): void {
  const failures = new CountedWarnings(() => undefined, forgetFailuresMs)
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request
    const [route, status, ms] = [routeOf(request), reply.statusCode, Math.round(reply.elapsedTime)]
    const line = { method, route, status, ms }
    const isQuiet = request.isCounted || route.startsWith('/healthz')
    const isFailure = status >= 500 && !isQuiet
    const count = isFailure ? failures.countIfTold(`${method} ${route}`, String(status)) : null
    if (count !== null) request.log.warn({ ...line, count }, 'answered')
    else if (!isQuiet && !isFailure && (status === 403 || ms > slowMs)) request.log.info(line, 'answered')
    else request.log.debug(line, 'answered')
  })
}

/** Accepts only JSON. An empty body counts as none: some tools set the content type and then send nothing. */
function installJsonParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString()
    // The body was decoded as UTF-8, the only encoding that JSON is sent in.
    if (!isUtf8(request.headers['content-type'] ?? '')) done(new ApiError('MEDIA_TYPE'))
    else if (text.length === 0) done(null, undefined)
    // Checked before parsing: recursive code would run out of stack on a deep body.
    else if (exceedsDepth(text, depthMax)) done(new ApiError('VALIDATION'))
    else void parse(request, text, done)
  })
}

function isUtf8(contentType: string): boolean {
  const charset = /;\s*charset\s*=\s*"?(?<name>[^\s;"]*)/i.exec(contentType)?.groups?.['name']
  return charset === undefined || /^utf-?8$/i.test(charset)
}
