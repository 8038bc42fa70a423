import { timingSafeEqual, createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { isOwnOrigin } from './origin.ts'

/** Headers that a proxy adds to a request it forwards. */
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
 * Whether a request comes from this machine and is meant for it: from a loopback address, to a loopback name (a rebound
 * DNS name has another one), not forwarded by a proxy, and not sent by a page of another site. A local proxy that adds
 * no header looks like a local caller, so local requests still need the key.
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

/** A browser names the page that sent the request; the operator's tools name none. */
function isForeignPage({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return !isOwnOrigin(origin, null, host)
}

/** Whether a request carries this key, as `Authorization: Bearer`; compared in constant time. */
export function hasKey(request: FastifyRequest, key: string): boolean {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined) return false
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(token), digest(key))
}
