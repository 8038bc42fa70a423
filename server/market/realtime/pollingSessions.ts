import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../platform/apiError.ts'
import type { Clock } from '../../platform/ports.ts'
import { TokenBucket } from '../../platform/tokenBucket.ts'
import { handshakeSid, type HandshakeTrust } from './handshake.ts'
import { byteRate, frameRate, isOtherNamespace } from './inboundLimit.ts'
import { gracePeriodMs, type Connection } from './socketClient.ts'

/** Between two packets of one body. */
const separator = '\u001e'

/** Engine.IO's session of a request: undefined at a handshake. */
export const engineSidOf = (request: IncomingMessage): string | undefined =>
  // As Engine.IO has read it: of two in one address it takes the last.
  (request as IncomingMessage & { _query?: { sid?: string } })._query?.sid

/** Checks and counts the requests of polling sessions, as `inboundLimit.ts` does the frames of WebSockets. */
export type PollingSessions = {
  add(connection: Connection): void
  /** From now on the session's requests need the cookie of its member: its id is in addresses, which proxies log. */
  bind(connection: Connection, sid: string): void
  /**
   * Whether a request belongs to a session, which pays for it then. A session that sends too much is ended.
   * @throws ApiError 403 `FORBIDDEN` without the session's cookie, 429 `RATE_LIMITED` if it polls too often
   */
  admit(request: IncomingMessage): boolean
}

type PollingSession = {
  connection: Connection
  /** The cookie of its member; undefined for a visitor, who receives nothing of a member. */
  sid?: string
  frames: TokenBucket
  bytes: TokenBucket
}

export function createPollingSessions(clock: Pick<Clock, 'now'>, trust: HandshakeTrust): PollingSessions {
  const sessions = new Map<string, PollingSession>()
  return {
    add: (connection) => {
      const now = clock.now()
      const id = connection['id']
      sessions.set(id, {
        connection,
        frames: new TokenBucket(frameRate, now),
        bytes: new TokenBucket(byteRate, now),
      })
      connection.once('close', () => sessions.delete(id))
      connection.prependListener('data', (data: unknown) => {
        if (isOtherNamespace(data)) connection.close(true)
      })
      // Engine.IO waits for the poll that would tell the client of the end.
      Object.assign(connection.transport, { closeTimeout: gracePeriodMs })
    },
    bind: (connection, sid) => {
      const session = sessions.get(connection['id'])
      if (session) session.sid = sid
    },
    admit: (request) => {
      const session = sessions.get(engineSidOf(request) ?? '')
      if (!session) return false
      const { connection, sid, frames } = session
      // A logout has removed the cookie before a client learns of it.
      if (sid !== undefined && connection.readyState === 'open' && handshakeSid(request, trust) !== sid)
        throw new ApiError('FORBIDDEN')
      const retryAfterMs = frames.take(clock.now())
      if (retryAfterMs > 0) {
        connection.close(true)
        throw new ApiError('RATE_LIMITED', { params: { retryAfterMs } })
      }
      if (request.method === 'POST') limitBody(request, session, clock)
      return true
    },
  }
}

/** Counts a body as it arrives, before it is parsed. Its first packet is the request's own. */
function limitBody(
  request: IncomingMessage,
  { connection, frames, bytes }: PollingSession,
  clock: Pick<Clock, 'now'>,
): void {
  // Engine.IO makes it text.
  request.on('data', (chunk: string) => {
    const now = clock.now()
    const isAllowed =
      bytes.take(now, Buffer.byteLength(chunk)) === 0 &&
      frames.take(now, chunk.split(separator).length - 1) === 0
    if (!isAllowed) connection.close(true)
  })
}
