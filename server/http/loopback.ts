import { timingSafeEqual, createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { isOwnOrigin } from './origin.ts'

/** What a proxy adds to a request that it passes on. */
const proxyHeaders = [
  'via',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const
const loopbackName = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Whether a request was made on this machine and for this machine: from a loopback address, to a loopback name (a name
 * that was rebound to this address is another one), passed on by no proxy, and not by a page of another site. A proxy
 * here that adds no header cannot be told from a local caller, so what is local still needs its key.
 */
export function isLocal(request: FastifyRequest): boolean {
  const { headers } = request
  return (
    /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '') &&
    loopbackName.test(headers.host ?? '') &&
    !proxyHeaders.some((name) => name in headers) &&
    !isForeignPage(headers)
  )
}

/** A browser names the page that made it ask; a tool of the operator's names none. */
function isForeignPage({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return !isOwnOrigin(origin, null, host)
}

/** Whether a request carries the desk's key, as `Authorization: Bearer`; compared in constant time. */
export function hasBackOfficeKey(request: FastifyRequest, backOfficeKey: string): boolean {
  const [scheme, given] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || given === undefined) return false
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(backOfficeKey))
}
