import type { FastifyInstance } from 'fastify'
import { sidOf } from './sessionCookie.ts'

/**
 * Counts every request before anything is done for it, whatever it asks: a token and a place in flight, of the session
 * if its cookie was good a moment ago, else of the address. A call that turns out to belong to a session is moved there
 * (`mount.ts`). What is refused later (401, 403, 400, 404) stays counted, and so does a request whose answer nobody reads.
 */
export function installAdmission(app: FastifyInstance): void {
  const { authenticator, rateLimiter } = app.requestContext
  app.decorateRequest('inFlightCall', null)
  app.addHook('onRequest', async (request, reply) => {
    const sid = sidOf(request)
    const sessionId = sid === undefined ? null : authenticator.cachedSessionId(sid)
    const { costly, addressRate } = request.routeOptions.config
    // A call with a rate of its own pays that alone: whoever spends an address's other tokens keeps nobody there from
    // logging in. Else the session's own token is taken by the call, and here only what nobody has vouched for pays.
    if (addressRate) rateLimiter.take(addressRate, request.ip)
    else if (sessionId === null) rateLimiter.take('visitor', request.ip)
    const owner = sessionId === null ? { address: request.ip } : { sessionId }
    const call = rateLimiter.acquire(owner, costly === true)
    request.inFlightCall = call
    // Either may come alone: an answer is finished when the connection has taken it, or the connection closes. One of
    // them does come, because the front begins no request before its response has the connection.
    reply.raw.once('finish', () => call.release())
    reply.raw.once('close', () => call.release())
  })
}
