import { STATUS_CODES, ServerResponse, type IncomingMessage } from 'node:http'
import { clientAddressOf } from '../../platform/http/clientAddress.ts'
import type { InFlightCall } from '../../platform/http/inFlight.ts'
import { errorStatus } from '../../../contract/errorStatus.ts'
import { unknownSessionCost, type RateLimiter } from '../../platform/http/rateLimiter.ts'
import { ApiError, errorBodyOf } from '../../platform/apiError.ts'
import type { Authenticator, Clock, Principal } from '../../platform/ports.ts'
import { handshakeSid, type HandshakeTrust } from './handshake.ts'
import { createPollingSessions, engineSidOf } from './pollingSessions.ts'
import { isPolling, type Connection } from './socketClient.ts'

export type HandshakeAdmissionParts = HandshakeTrust & {
  clock: Clock
  authenticator: Authenticator
  rateLimiter: RateLimiter
  /** Whether the venue stops: its balancer has other nodes. */
  isStopping: () => boolean
}
type Next = () => void

/** Counts handshakes, sockets and polls before any work is done for them, as `http/admission.ts` does for requests. */
export type HandshakeAdmission = {
  /**
   * Engine.IO middleware: answers 429 if the address or the session exceeds its request or socket limit, or 503 to a
   * handshake once the venue stops.
   */
  admit: (request: IncomingMessage, response: ServerResponse, next: Next) => void
  /** A handshake has led to this connection. */
  opened(connection: Connection): void
  /**
   * Resolves with the owner of the session in the cookie of a connection's handshake and counts the socket for that
   * session; null for a visitor.
   * @throws ApiError 429 `RATE_LIMITED` if the session exceeds its socket limit
   */
  authenticate(connection: Connection, request: IncomingMessage): Promise<Principal | null>
}

export function createHandshakeAdmission(parts: HandshakeAdmissionParts): HandshakeAdmission {
  const { authenticator, rateLimiter, clock } = parts
  const addressOf = clientAddressOf(parts.trustProxy)
  const socketSlots = new WeakMap<IncomingMessage, InFlightCall>()
  const pollingSessions = createPollingSessions(clock, parts)

  const count = (request: IncomingMessage, isUpgrade: boolean): void => {
    const isHandshake = engineSidOf(request) === undefined
    // A session keeps its transport: no other one takes its place.
    if (isUpgrade && !isHandshake) throw new ApiError('VALIDATION')
    if (pollingSessions.admit(request)) return
    if (isHandshake && parts.isStopping()) throw new ApiError('UNAVAILABLE')
    const sid = handshakeSid(request, parts)
    const sessionId = sid === undefined ? null : authenticator.cachedSessionId(sid)
    const address = addressOf(request)
    if (sessionId === null) rateLimiter.take('visitor', address)
    if (!isHandshake) return
    const slot = rateLimiter.sockets.acquire(sessionId === null ? { address } : { sessionId }, false)
    socketSlots.set(request, slot)
    if (isUpgrade) request.socket.on('close', () => slot.release())
    else setImmediate(() => releaseUnused(request, slot))
  }
  /** A connection over long polling is there before the next turn of the event loop, or the handshake was refused. */
  const releaseUnused = (request: IncomingMessage, slot: InFlightCall): void => {
    if (!opened.has(request)) slot.release()
  }
  const opened = new WeakSet<IncomingMessage>()
  return {
    admit: (request, response, next) => {
      try {
        // The header alone upgrades nothing.
        count(request, !(response instanceof ServerResponse))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        rejectHandshake(request, response, error, clock.now())
        return
      }
      next()
    },
    opened: (connection) => {
      if (!isPolling(connection)) return
      const { request } = connection
      opened.add(request)
      connection.once('close', () => socketSlots.get(request)?.release())
      pollingSessions.add(connection)
    },
    authenticate: async (connection, request) => {
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
      pollingSessions.bind(connection, sid)
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
  const status = errorStatus[error.code]
  if (response instanceof ServerResponse) {
    response.writeHead(status, headers).end(body)
    return
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  request.socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
}
