import type { FastifyReply, FastifyRequest } from 'fastify'

type CookieName = 'sid' | 'device' | 'staff' | 'staffDevice'

/** Browsers accept a cookie with the prefix only over HTTPS and only for this host. */
const cookieName = (name: CookieName, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** The name of the session cookie, which depends on whether the connection is secure. */
export const sessionCookieName = (secure: boolean): string => cookieName('sid', secure)

/** Whether the member's own connection is HTTPS, by PUBLIC_URL, else by the request (a trusted proxy's header counts). */
export function isSecure(request: FastifyRequest): boolean {
  const { publicOrigin } = request.server.requestContext
  return publicOrigin?.startsWith('https:') === true || request.protocol === 'https'
}

/** The session id in a request's cookie; undefined without one. */
export function sidOf(request: FastifyRequest): string | undefined {
  return request.cookies[sessionCookieName(isSecure(request))]
}

/** The cookie that proves which accounts were used on this device; undefined without one. */
export function deviceCookieOf(request: FastifyRequest): string | undefined {
  return request.cookies[cookieName('device', isSecure(request))]
}

/** Sets the session cookie. */
export function setSid(request: FastifyRequest, reply: FastifyReply, sid: string, maxAgeMs: number): void {
  setCookie(request, reply, { name: 'sid', value: sid, maxAgeMs })
}

/** Deletes the session cookie. */
export function clearSid(request: FastifyRequest, reply: FastifyReply): void {
  clearCookie(request, reply, 'sid')
}

/** The session id of a member of staff; undefined without one. */
export function staffSidOf(request: FastifyRequest): string | undefined {
  return request.cookies[cookieName('staff', isSecure(request))]
}

/** Sets the session cookie of a member of staff. */
export function setStaffSid(
  request: FastifyRequest,
  reply: FastifyReply,
  sid: string,
  maxAgeMs: number,
): void {
  setCookie(request, reply, { name: 'staff', value: sid, maxAgeMs })
}

/** Deletes the session cookie of a member of staff. */
export function clearStaffSid(request: FastifyRequest, reply: FastifyReply): void {
  clearCookie(request, reply, 'staff')
}

/** Sets the cookie that proves at the next login that the account was used on this device. */
export function setDeviceCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
  maxAgeMs: number,
): void {
  setCookie(request, reply, { name: 'device', value, maxAgeMs })
}

/** The cookie that proves which members of staff logged in on this device; undefined without one. */
export function staffDeviceCookieOf(request: FastifyRequest): string | undefined {
  return request.cookies[cookieName('staffDevice', isSecure(request))]
}

/** Sets the cookie that proves at the next login to the office that its member of staff logged in on this device. */
export function setStaffDeviceCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
  maxAgeMs: number,
): void {
  setCookie(request, reply, { name: 'staffDevice', value, maxAgeMs })
}

function clearCookie(request: FastifyRequest, reply: FastifyReply, name: CookieName): void {
  const secure = isSecure(request)
  reply.clearCookie(cookieName(name, secure), { path: '/', httpOnly: true, sameSite: 'strict', secure })
}

function setCookie(
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
