import type { FastifyInstance } from 'fastify'
import { sidOf } from './sessionCookie.ts'

/**
 * Counts every request before anything is done for it, whatever it asks: a token and a place in flight, of the session
 * if its cookie was good a moment ago, else of the address. A call that turns out to belong to a session is moved there
 * (`mount.ts`). What is refused later (401, 403, 400, 404) stays counted, and so does a request whose answer nobody reads.
 */
export function installAdmission(app: FastifyInstance): void {
  const { authenticator, limits } = app.gate
  app.decorateRequest('flight', null)
  app.addHook('onRequest', async (request, reply) => {
    const sid = sidOf(request)
    const sessionId = sid === undefined ? null : authenticator.knownSession(sid)
    const { costly, doorRate } = request.routeOptions.config
    // A call with a rate of its own pays that alone: whoever spends an address's other tokens keeps nobody there from
    // logging in. Else the session's own token is taken by the call, and here only what nobody has vouched for pays.
    if (doorRate) limits.take(doorRate, request.ip)
    else if (sessionId === null) limits.take('visitor', request.ip)
    const owner = sessionId === null ? { address: request.ip } : { sessionId }
    const flight = limits.enter(owner, costly === true)
    request.flight = flight
    // Either may come alone: an answer is finished when the connection has taken it, or the connection closes. One of
    // them does come, because the front begins no request before its response has the connection.
    reply.raw.once('finish', () => flight.leave())
    reply.raw.once('close', () => flight.leave())
  })
}
