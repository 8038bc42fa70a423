import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import type { RequestContext } from './requestContext.ts'
import { isSecure } from './sessionCookie.ts'

/** Device features that the client does not need. */
const permissions = [
  'accelerometer=()',
  'camera=()',
  'display-capture=()',
  'geolocation=()',
  'gyroscope=()',
  'magnetometer=()',
  'microphone=()',
  'midi=()',
  'payment=()',
  'usb=()',
].join(', ')

/** What both pages have: only our own files, no inline script, no frame. */
const commonDirectives = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  fontSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
}

export const isOfficeUrl = (url: string): boolean => url === officePath || url.startsWith(`${officePath}/`)

const yearSeconds = 31_536_000

/** Below this path is the office: a page of its own, which members never load. */
export const officePath = '/office'

/** The headers of an answer that no hook handles: before the venue serves, and to an address that cannot be parsed. */
export const bareHeaders = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
}

/**
 * The headers of every response. The content security policy allows our own files and no inline script; style attributes
 * that scripts set through the DOM need no exception. The only Trusted Types policy is for the addresses of the build's
 * workers: the client never writes markup from text.
 */
export function installHeaders(
  app: FastifyInstance,
  parts: { requestContext: Pick<RequestContext, 'publicOrigin'>; imageBaseHost: string },
): void {
  const { publicOrigin } = parts.requestContext
  const secure = publicOrigin?.startsWith('https:') === true
  const socket = publicOrigin === null ? [] : [publicOrigin.replace(/^http/, 'ws')]
  const pictures = parts.imageBaseHost === '' ? [] : [new URL(parts.imageBaseHost).origin]
  // Built once: Fastify's plugin around helmet builds it again for every request.
  const setterOf = (directives: Record<string, string[]>) =>
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: { ...commonDirectives, ...directives } },
      strictTransportSecurity: false,
      referrerPolicy: { policy: 'no-referrer' },
      xFrameOptions: { action: 'deny' },
      crossOriginOpenerPolicy: secure,
      originAgentCluster: secure,
    })
  const setHeaders = setterOf({
    imgSrc: ["'self'", 'data:', 'blob:', ...pictures],
    connectSrc: ["'self'", ...socket],
    manifestSrc: ["'self'"],
    workerSrc: ["'self'"],
    formAction: ["'self'"],
    trustedTypes: ['worker'],
  })
  // The office has no socket and no form that the browser sends, and loads pictures of this venue only.
  const setOfficeHeaders = setterOf({
    imgSrc: ["'self'", 'blob:'],
    connectSrc: ["'self'"],
    workerSrc: ["'self'"],
    formAction: ["'none'"],
    trustedTypes: ['worker'],
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('Permissions-Policy', permissions)
    if (isSecure(request)) reply.header('Strict-Transport-Security', `max-age=${yearSeconds}`)
    const set = isOfficeUrl(request.url) ? setOfficeHeaders : setHeaders
    set(request.raw, reply.raw, (error) => done(error as Error | undefined))
  })
}
