import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { clientAddressOf } from '../http/clientAddress.ts'
import type { InFlightCall } from '../http/inFlight.ts'
import { errorStatus } from '../http/errorStatus.ts'
import { unknownSessionCost } from '../http/rateLimiter.ts'
import type { RateLimiter } from '../http/rateLimiter.ts'
import { ApiError, errorBodyOf } from '../apiError.ts'
import type { Authenticator, Clock, Principal } from '../ports.ts'
import { handshakeSid } from './handshake.ts'
import type { HandshakeTrust } from './handshake.ts'

export type HandshakeAdmissionParts = HandshakeTrust & {
  clock: Clock
  authenticator: Authenticator
  rateLimiter: RateLimiter
}
type Next = () => void

/** Counts handshakes and sockets before any work is done for them, as `http/admission.ts` does for requests. */
export type HandshakeAdmission = {
  /** Engine.IO middleware: answers 429 if the address or the session exceeds its request or socket limit. */
  admit: (request: IncomingMessage, response: ServerResponse, next: Next) => void
  /**
   * Resolves with the owner of the session in a handshake's cookie and counts the socket for that session; null for a
   * visitor.
   * @throws ApiError 429 `RATE_LIMITED` if the session exceeds its socket limit
   */
  authenticate(request: IncomingMessage): Promise<Principal | null>
}

export function createHandshakeAdmission(parts: HandshakeAdmissionParts): HandshakeAdmission {
  const { authenticator, rateLimiter, clock } = parts
  const addressOf = clientAddressOf(parts.trustProxy)
  const socketSlots = new WeakMap<IncomingMessage, InFlightCall>()

  const count = (request: IncomingMessage): void => {
    const sid = handshakeSid(request, parts)
    const sessionId = sid === undefined ? null : authenticator.cachedSessionId(sid)
    const address = addressOf(request)
    if (sessionId === null) rateLimiter.take('visitor', address)
    if (request.headers.upgrade === undefined) return
    const slot = rateLimiter.sockets.acquire(sessionId === null ? { address } : { sessionId }, false)
    socketSlots.set(request, slot)
    request.socket.on('close', () => slot.release())
  }
  return {
    admit: (request, response, next) => {
      try {
        count(request)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        rejectHandshake(request, response, error, clock.now())
        return
      }
      next()
    },
    authenticate: async (request) => {
      const sid = handshakeSid(request, parts)
      if (sid === undefined) return null
      const address = addressOf(request)
      const session = await authenticator.findBySid(sid)
      if (!session) {
        rateLimiter.charge('visitor', address, unknownSessionCost)
        return null
      }
      const { memberId, sessionId } = session
      if (socketSlots.get(request)?.moveToSession(sessionId)) rateLimiter.charge('visitor', address, -1)
      return { memberId, sessionId }
    },
  }
}

/** An upgrade has no response object: the response is written to the TCP socket, which closes after it. */
function rejectHandshake(
  request: IncomingMessage,
  response: ServerResponse,
  error: ApiError,
  now: number,
): void {
  const body = JSON.stringify(errorBodyOf(error, ''))
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'Server-Time': String(now),
    'Retry-After': String(Math.ceil(Number(error.params?.['retryAfterMs'] ?? 1000) / 1000)),
    Connection: 'close',
  }
  if (response instanceof ServerResponse) {
    response.writeHead(errorStatus[error.code], headers).end(body)
    return
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  request.socket.end(['HTTP/1.1 429 Too Many Requests', ...lines, '', body].join('\r\n'))
}
