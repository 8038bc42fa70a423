import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import fastifySwagger from '@fastify/swagger'
import { LogController, fastify } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { appVersion } from '../../contract/constants.ts'
import { fieldErrors } from '../../contract/errors.ts'
import { installAdmission } from './admission.ts'
import { trustProxyOption } from './clientAddress.ts'
import type { TrustProxy } from './clientAddress.ts'
import { exceedsDepth } from './jsonDepth.ts'
import { sendApiError, installErrorHandler } from './errorHandler.ts'
import type { RequestContext } from './requestContext.ts'
import { installHeaders } from './headers.ts'
import { isOwnOrigin } from './origin.ts'
import { ApiError } from '../apiError.ts'

const pluginTimeoutMs = 120_000

/** Bodies of calls are small; uploads have a limit of their own. */
const bodyMaxBytes = 64 * 1024
/** Lists and objects within each other; the bodies of our calls go a few deep. */
const depthMax = 16

/** How a member's call proves itself. */
const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: 'sid' },
  token: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
} as const

export type HttpAppParts = {
  requestContext: RequestContext
  logger: FastifyBaseLogger
  /** What of a proxy's headers counts: hops, addresses, or nothing. */
  trustProxy: TrustProxy
  /** Another host for pictures, where the operator has one. */
  imageBaseHost: string
}

/** The venue's HTTP side without any call yet: what holds for every request, whatever it asks. */
export async function createHttpApp(parts: HttpAppParts): Promise<FastifyInstance> {
  const { requestContext } = parts
  const app: FastifyInstance = fastify({
    loggerInstance: parts.logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxyOption(parts.trustProxy),
    bodyLimit: bodyMaxBytes,
    genReqId: () => randomUUID(),
    // An address that cannot be read, or longer than any of ours, is no address; no hook has seen it.
    frameworkErrors: (_error, request, reply) => {
      reply.header('Server-Time', requestContext.clock.now()).header('X-Content-Type-Options', 'nosniff')
      void sendApiError(new ApiError(404, 'NOT_FOUND'), request, reply)
    },
    routerOptions: { maxParamLength: 200 },
    // A start on a machine that is short of time is slow, not broken.
    pluginTimeout: pluginTimeoutMs,
  })
  app.decorate('requestContext', requestContext)
  app.decorateRequest('principal', null)
  app.decorateRequest('releaseKey', null)
  app.setValidatorCompiler(({ schema, httpPart }) => compileValidator(schema as z.ZodMiniType, httpPart))
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  installJsonParser(app)
  installErrorHandler(app)
  installRequestLog(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('Server-Time', requestContext.clock.now()).header('X-Request-Id', request.id)
    if (request.url.startsWith('/api') || request.url.startsWith('/desk'))
      reply.header('Cache-Control', 'no-store')
    const safe = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
    if (!safe && !isOwnOrigin(request.headers.origin, requestContext.publicOrigin, request.host)) {
      throw new ApiError(403, 'CSRF')
    }
  })
  await installHeaders(app, parts)
  await app.register(cookie)
  installAdmission(app)
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Uptick venue', version: appVersion },
      components: { securitySchemes },
    },
    transform: jsonSchemaTransform,
  })
  return app
}

/**
 * The contract's schemas judge the parts of a request; a fault is one code per field, and no body is an empty one.
 * An id in the path that none of ours can look like names nothing, as an unknown one does.
 */
function compileValidator(schema: z.ZodMiniType, part: string | undefined) {
  return (data: unknown) => {
    const parsed = z.safeParse(schema, data ?? {})
    const unstorable = parsed.success ? findNul(parsed.data, '') : null
    if (parsed.success && unstorable === null) return { value: parsed.data }
    if (part === 'params') return { error: new ApiError(404, 'NOT_FOUND') }
    const fields = parsed.success
      ? { [unstorable ?? '']: 'INVALID' }
      : fieldErrors(parsed.error.issues, data ?? {})
    return { error: new ApiError(400, 'VALIDATION', { fields }) }
  }
}

/** The path of a text with a NUL in it, which no column of PostgreSQL can hold; null where there is none. */
function findNul(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.includes('\0') ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    const found = findNul(inner, path === '' ? name : `${path}.${name}`)
    if (found !== null) return found
  }
  return null
}

/** One line for each call that changes or fails, on demand for all. The route's pattern, never the address itself. */
function installRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const quiet = request.method === 'GET' && reply.statusCode < 500
    const route = request.routeOptions.url ?? 'none'
    const line = {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    request.log[quiet ? 'debug' : 'info'](line, 'answered')
  })
}

/** JSON alone, and an empty body is no body: some tools name a type and then send nothing. */
function installJsonParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString()
    if (text.length === 0) done(null, undefined)
    // Refused before anything reads it: what goes down into a body by calling itself would run out of stack.
    else if (exceedsDepth(text, depthMax))
      done(new ApiError(400, 'VALIDATION', { fields: { '': 'INVALID' } }))
    else void parse(request, text, done)
  })
}
