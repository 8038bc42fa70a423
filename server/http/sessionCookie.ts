import type { FastifyReply, FastifyRequest } from 'fastify'

type CookieName = 'sid' | 'device'

/** Browsers take a cookie of the prefixed name over HTTPS only, for this host alone. */
const cookieName = (name: CookieName, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** Which cookie carries the session of a request, by how the member reached the venue. */
export const sessionCookieName = (secure: boolean): string => cookieName('sid', secure)

/** Whether the member's own connection is HTTPS: told by PUBLIC_URL, else by the request (a trusted proxy's word counts). */
export function isSecure(request: FastifyRequest): boolean {
  const { publicOrigin } = request.server.requestContext
  return publicOrigin?.startsWith('https:') === true || request.protocol === 'https'
}

/** The session id that a request brings along; undefined without one. */
export function sidOf(request: FastifyRequest): string | undefined {
  return request.cookies[sessionCookieName(isSecure(request))]
}

/** What shows which accounts were used on this device before; undefined without it. */
export function deviceCookieOf(request: FastifyRequest): string | undefined {
  return request.cookies[cookieName('device', isSecure(request))]
}

/** Hands a new session to the browser until `maxAgeMs` from now. */
export function setSid(request: FastifyRequest, reply: FastifyReply, sid: string, maxAgeMs: number): void {
  set(request, reply, { name: 'sid', value: sid, maxAgeMs })
}

/** Takes the session out of the browser. */
export function clearSid(request: FastifyRequest, reply: FastifyReply): void {
  const secure = isSecure(request)
  reply.clearCookie(sessionCookieName(secure), { path: '/', httpOnly: true, sameSite: 'strict', secure })
}

/** Lets the browser show at its next log-in that the account was used on this device. */
export function setDeviceCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
  maxAgeMs: number,
): void {
  set(request, reply, { name: 'device', value, maxAgeMs })
}

function set(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, maxAgeMs }: { name: CookieName; value: string; maxAgeMs: number },
): void {
  const secure = isSecure(request)
  reply.setCookie(cookieName(name, secure), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure,
    maxAge: Math.floor(maxAgeMs / 1000),
  })
}
