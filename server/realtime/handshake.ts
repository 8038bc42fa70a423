import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import type { TrustProxy } from '../http/clientAddress.ts'
import { sessionCookieName } from '../http/sessionCookie.ts'

export type HandshakeTrust = {
  /** The address that members use, where one is set. */
  publicOrigin: string | null
  /** Which proxies in front are believed. */
  trustProxy: TrustProxy
}

/** The session id in a handshake's cookie: the same cookie as for calls, before Fastify has seen the request. */
export function handshakeSid(request: IncomingMessage, trust: HandshakeTrust): string | undefined {
  const forwarded = trust.trustProxy !== false ? forwardedBy(request, 'x-forwarded-proto') : undefined
  const secure = trust.publicOrigin?.startsWith('https:') === true || forwarded === 'https'
  return cookie.parse(request.headers.cookie ?? '')[sessionCookieName(secure)]
}

/** The host that the browser asked for. */
export function handshakeHost(request: IncomingMessage, trust: HandshakeTrust): string | undefined {
  return (
    (trust.trustProxy !== false ? forwardedBy(request, 'x-forwarded-host') : undefined) ??
    request.headers.host
  )
}

/** What the nearest proxy wrote: the last of a list, since whoever is further out can write the first. */
function forwardedBy(request: IncomingMessage, header: string): string | undefined {
  const value = request.headers[header]
  return (Array.isArray(value) ? value.join(',') : value)?.split(',').at(-1)?.trim()
}
