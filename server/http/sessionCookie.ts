import type { FastifyReply, FastifyRequest } from 'fastify'

/** A cookie that browsers take over HTTPS only, for this host alone. */
const secureName = '__Host-sid'
const plainName = 'sid'

/** Which cookie carries the session of a request, by how the member reached the venue. */
export function sessionCookieName(secure: boolean): string {
  return secure ? secureName : plainName
}

/** Whether the member's own connection is HTTPS: told by PUBLIC_URL, else by the request (a trusted proxy's word counts). */
export function isSecure(request: FastifyRequest): boolean {
  const { publicOrigin } = request.server.gate
  return publicOrigin?.startsWith('https:') === true || request.protocol === 'https'
}

/** The session id that a request brings along; undefined without one. */
export function sidOf(request: FastifyRequest): string | undefined {
  return request.cookies[sessionCookieName(isSecure(request))]
}

/** Hands a new session to the browser until `maxAgeMs` from now. */
export function setSid(request: FastifyRequest, reply: FastifyReply, sid: string, maxAgeMs: number): void {
  const secure = isSecure(request)
  reply.setCookie(sessionCookieName(secure), sid, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure,
    maxAge: Math.floor(maxAgeMs / 1000),
  })
}

/** Takes the session out of the browser. */
export function clearSid(request: FastifyRequest, reply: FastifyReply): void {
  const secure = isSecure(request)
  reply.clearCookie(sessionCookieName(secure), { path: '/', httpOnly: true, sameSite: 'strict', secure })
}
