import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { callerOf } from '../http/caller.ts'
import type { Flight } from '../http/flights.ts'
import { unknownSessionCost } from '../http/limits.ts'
import type { Limits } from '../http/limits.ts'
import { Refusal, refusalBody } from '../http/refusal.ts'
import type { Authenticator, Clock, Principal } from '../ports.ts'
import { handshakeSid } from './handshake.ts'
import type { HandshakeTrust } from './handshake.ts'

export type DoorParts = HandshakeTrust & {
  clock: Clock
  authenticator: Authenticator
  limits: Limits
}
type Next = () => void

/** Counts handshakes and sockets before anything is done for them, as `http/admission.ts` does calls. */
export type Door = {
  /** A middleware of Engine.IO: answers 429 if the address or the session has spent its calls or has its sockets. */
  enter: (request: IncomingMessage, response: ServerResponse, next: Next) => void
  /**
   * Whose session a handshake's cookie names, and counts the socket against it; null for a visitor.
   * @throws Refusal 429 `RATE_LIMITED` if the session has as many sockets as it may
   */
  memberOf(request: IncomingMessage): Promise<Principal | null>
}

export function createDoor(parts: DoorParts): Door {
  const { authenticator, limits, clock } = parts
  const addressOf = callerOf(parts.trustProxy)
  const flights = new WeakMap<IncomingMessage, Flight>()

  const count = (request: IncomingMessage): void => {
    const sid = handshakeSid(request, parts)
    const sessionId = sid === undefined ? null : authenticator.knownSession(sid)
    const address = addressOf(request)
    if (sessionId === null) limits.take('visitor', address)
    if (request.headers.upgrade === undefined) return
    const flight = limits.sockets.enter(sessionId === null ? { address } : { sessionId }, false)
    flights.set(request, flight)
    request.socket.once('close', () => flight.leave())
  }
  return {
    enter: (request, response, next) => {
      try {
        count(request)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refuse(request, response, error, clock.now())
        return
      }
      next()
    },
    memberOf: async (request) => {
      const sid = handshakeSid(request, parts)
      if (sid === undefined) return null
      const address = addressOf(request)
      const session = await authenticator.bySid(sid)
      if (!session) {
        limits.charge('visitor', address, unknownSessionCost)
        return null
      }
      const { memberId, sessionId } = session
      if (flights.get(request)?.board(sessionId)) limits.charge('visitor', address, -1)
      return { memberId, sessionId }
    },
  }
}

/** An upgrade has no response yet: its answer is written by hand, and its connection ends with it. */
function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal, now: number): void {
  const body = JSON.stringify(refusalBody(refusal, ''))
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'Server-Time': String(now),
    'Retry-After': String(Math.ceil(Number(refusal.params?.['retryAfterMs'] ?? 1000) / 1000)),
    Connection: 'close',
  }
  if (response instanceof ServerResponse) {
    response.writeHead(refusal.status, headers).end(body)
    return
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  request.socket.end(['HTTP/1.1 429 Too Many Requests', ...lines, '', body].join('\r\n'))
}
