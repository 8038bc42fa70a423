import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import type { TrustProxy } from '../../platform/http/clientAddress.ts'
import { sessionCookieName } from '../../platform/http/sessionCookie.ts'

export type HandshakeTrust = {
  /** The origin that members use, if one is configured. */
  publicOrigin: string | null
  /** Which proxies are trusted. */
  trustProxy: TrustProxy
}

/** The session id in a handshake's cookie. It is the same cookie as for requests, read without Fastify. */
export function handshakeSid(request: IncomingMessage, trust: HandshakeTrust): string | undefined {
  const forwarded = trust.trustProxy !== false ? forwardedBy(request, 'x-forwarded-proto') : undefined
  const secure = trust.publicOrigin?.startsWith('https:') === true || forwarded === 'https'
  return cookie.parse(request.headers.cookie ?? '')[sessionCookieName(secure)]
}

/** The host that the browser requested. */
export function handshakeHost(request: IncomingMessage, trust: HandshakeTrust): string | undefined {
  return (
    (trust.trustProxy !== false ? forwardedBy(request, 'x-forwarded-host') : undefined) ??
    request.headers.host
  )
}

/** The value set by the nearest proxy: the last one of the list, since a client can set the first ones. */
function forwardedBy(request: IncomingMessage, header: string): string | undefined {
  const value = request.headers[header]
  return (Array.isArray(value) ? value.join(',') : value)?.split(',').at(-1)?.trim()
}
