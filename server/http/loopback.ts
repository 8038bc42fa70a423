import { timingSafeEqual, createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** Whether a request was made on this machine itself: one that any proxy passed on was not, trusted or not. */
export function isLocal(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress ?? ''
  const passedOn = ['x-forwarded-for', 'x-real-ip', 'forwarded'].some((header) => header in request.headers)
  return !passedOn && /^(127\.|::1$|::ffff:127\.)/.test(address)
}

/** Whether a request carries the desk's key, as `Authorization: Bearer`; compared in constant time. */
export function hasDeskKey(request: FastifyRequest, deskKey: string): boolean {
  const [scheme, given] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || given === undefined) return false
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(deskKey))
}
