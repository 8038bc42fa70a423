import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import { Server } from 'socket.io'
import { heartbeatMs } from '../../contract/constants.ts'
import { socketPath } from '../../contract/socket.ts'
import type { Notice } from '../../contract/socket.ts'
import { isOwnOrigin } from '../http/origin.ts'
import { Refusal } from '../http/refusal.ts'
import type { Clock, Market, Principal } from '../ports.ts'
import { createAudiences } from './audiences.ts'
import { createBroadcast } from './broadcast.ts'
import { createDoor } from './door.ts'
import type { Door, DoorParts } from './door.ts'
import { eventAllowance } from './eventAllowance.ts'
import type { ClientEvents, VenueEvents } from './events.ts'
import { handshakeHost } from './handshake.ts'
import { watchIntake } from './intake.ts'
import type { MemberSockets } from './memberSockets.ts'
import { answerSubscriptions } from './subscriptions.ts'
import { bufferedMaxBytes, createViewer } from './viewer.ts'
import type { Connection, VenueSocket, Viewer } from './viewer.ts'

/** Incoming frames are calls of a few words; anything larger is no client of ours. */
const frameMaxBytes = 16 * 1024
const connectTimeoutMs = 10_000

export type RealtimeParts = DoorParts & {
  server: HttpServer
  market: Market
  members: MemberSockets
  build: string
  /** What whoever connects is told of the site; null while there is nothing to say. */
  siteNotice?: () => Notice | null
  /** Told of what fails while a handshake is judged. */
  onError: (error: unknown) => void
  /** Unsent bytes at which a socket is cut; left out: the venue's own bound. */
  bufferedMaxBytes?: number
}

export type Realtime = {
  /** Tells every socket about the site. */
  notice(notice: Notice): void
  counts(): { sockets: number; audiences: number; cut: number }
  /** Sends nothing more and closes every socket; the HTTP server stays. */
  close(): void
}

type VenueServer = Server<ClientEvents, VenueEvents, Record<string, never>, { member: Principal | null }>

/** Prices and account events over socket.io, on the venue's own HTTP server. */
export function createRealtime(parts: RealtimeParts): Realtime {
  const { clock, market, members } = parts
  const viewers = new Set<Viewer>()
  const audiences = createAudiences()
  const broadcast = createBroadcast(market, audiences)
  let cut = 0
  const io = openServer(parts)

  io.on('connection', (socket) => {
    const viewer = createViewer(socket, parts.bufferedMaxBytes ?? bufferedMaxBytes, () => (cut += 1))
    viewers.add(viewer)
    socket.on('disconnect', () => {
      viewers.delete(viewer)
      audiences.leave(viewer)
      members.remove(viewer)
    })
    socket.use(eventAllowance(clock))
    answerSubscriptions({ clock, market, audiences, socket, viewer })
    viewer.tell('hello', { now: clock.now(), build: parts.build, heartbeatMs })
    const notice = parts.siteNotice?.() ?? null
    if (notice) viewer.tell('notice', notice)
    members.add(viewer)
  })

  const stops = [
    market.onFlush((flush) => broadcast.ticks(flush)),
    market.onSession((id, session) => {
      for (const viewer of viewers) viewer.tell('product', { id, ...session })
    }),
    everySecond(clock, () => broadcast.beat(clock.now())),
  ]
  return {
    notice: (notice) => {
      for (const viewer of viewers) viewer.tell('notice', notice)
    },
    counts: () => ({ sockets: viewers.size, audiences: [...audiences.all()].length, cut }),
    close: () => {
      for (const stop of stops) stop()
      io.disconnectSockets(true)
      io.engine.close()
    },
  }
}

function openServer(parts: RealtimeParts): VenueServer {
  const allowRequest = (
    request: IncomingMessage,
    answer: (error: string | null | undefined, allowed: boolean) => void,
  ): void =>
    answer(null, isOwnOrigin(request.headers.origin, parts.publicOrigin, handshakeHost(request, parts)))
  const io: VenueServer = new Server(parts.server, {
    path: socketPath,
    serveClient: false,
    transports: ['websocket'],
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: frameMaxBytes,
    connectTimeout: connectTimeoutMs,
    allowRequest,
  })
  // Engine.IO answers what comes to its path by itself; these answers tell the time too.
  parts.server.prependListener('request', (_request, response) =>
    response.setHeader('Server-Time', parts.clock.now()),
  )
  io.engine.on('headers', (headers: Record<string, string>) => {
    headers['Server-Time'] = String(parts.clock.now())
  })
  const door = createDoor(parts)
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) =>
    door.enter(request, response, next),
  )
  io.engine.on('connection', (connection: Connection) =>
    watchIntake(connection, parts.clock, parts.bufferedMaxBytes ?? bufferedMaxBytes),
  )
  io.use((socket, next) => {
    void admit(socket, door, parts.onError, next)
  })
  return io
}

/**
 * Notes whose socket it is. If that cannot be told, or the session has enough sockets, the connection ends, and the
 * client tries again by itself.
 */
async function admit(
  socket: VenueSocket,
  door: Door,
  onError: (error: unknown) => void,
  next: () => void,
): Promise<void> {
  try {
    socket.data.member = await door.memberOf(socket.request)
    next()
  } catch (error) {
    if (error instanceof Refusal) {
      socket.conn.request.socket.destroy()
      return
    }
    onError(error)
    socket.conn.close()
  }
}

/** Runs each second of the venue's clock until the answer is called. */
function everySecond(clock: Clock, run: () => void): () => void {
  let cancel = (): void => undefined
  const arm = (due: number): void => {
    cancel = clock.at(due, () => {
      run()
      arm(Math.max(due + heartbeatMs, clock.now()))
    })
  }
  arm(clock.now() + heartbeatMs)
  return () => cancel()
}
