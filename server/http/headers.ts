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

const yearSeconds = 31_536_000

/**
 * The headers of every response. The content security policy allows our own files and no inline script; style attributes
 * that scripts set through the DOM need no exception. The only Trusted Types policy is for the URL of the client's
 * service worker: the client never writes markup from text.
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
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...pictures],
        connectSrc: ["'self'", ...socket],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['worker'],
      },
    },
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    crossOriginOpenerPolicy: secure,
    originAgentCluster: secure,
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('Permissions-Policy', permissions)
    if (isSecure(request)) reply.header('Strict-Transport-Security', `max-age=${yearSeconds}`)
    setHeaders(request.raw, reply.raw, (error) => done(error as Error | undefined))
  })
}
