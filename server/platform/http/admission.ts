import type { FastifyInstance } from 'fastify'
import { sidOf } from './sessionCookie.ts'

/**
 * Counts every request before any work is done for it: a token and a place in flight, of the session if its cookie is
 * in the session cache, else of the address. A request that turns out to belong to a session is moved there (`mount.ts`).
 * A request that fails later (401, 403, 400, 404) stays counted, and so does one whose response is never read.
 */
export function installAdmission(app: FastifyInstance): void {
  const { authenticator, rateLimiter } = app.requestContext
  app.decorateRequest('inFlightCall', null)
  app.addHook('onRequest', async (request, reply) => {
    const sid = sidOf(request)
    const sessionId = sid === undefined ? null : authenticator.cachedSessionId(sid)
    const { costly, addressRate } = request.routeOptions.config
    // A route with its own rate takes only from that: using up the other tokens of an address must not keep members
    // there from logging in. Otherwise `mount.ts` takes the session's token, and only requests without one pay here.
    if (addressRate) rateLimiter.take(addressRate, request.ip)
    else if (sessionId === null) rateLimiter.take('visitor', request.ip)
    const owner = sessionId === null ? { address: request.ip } : { sessionId }
    const call = rateLimiter.acquire(owner, costly === true)
    request.inFlightCall = call
    // Either event may come alone: the response is finished, or the connection closes. One of them always comes, because
    // the listener starts a request only when its response has the connection.
    reply.raw.once('finish', () => call.release())
    reply.raw.once('close', () => call.release())
  })
}
