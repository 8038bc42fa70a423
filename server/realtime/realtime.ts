import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import { Server } from 'socket.io'
import { epochMs } from '../../contract/brand.ts'
import { heartbeatMs } from '../../contract/constants.ts'
import { socketPath } from '../../contract/socket.ts'
import type { Notice } from '../../contract/socket.ts'
import { bareHeaders } from '../http/headers.ts'
import { isOwnOrigin } from '../http/origin.ts'
import { ApiError } from '../apiError.ts'
import type { Market, Principal } from '../ports.ts'
import { createScheduler } from '../scheduler.ts'
import { createSubscriptionGroups } from './subscriptionGroups.ts'
import { createBroadcast } from './broadcast.ts'
import { createHandshakeAdmission } from './handshakeAdmission.ts'
import type { HandshakeAdmission, HandshakeAdmissionParts } from './handshakeAdmission.ts'
import type { ClientEvents, VenueEvents } from './events.ts'
import { handshakeHost } from './handshake.ts'
import { limitInbound } from './inboundLimit.ts'
import type { MemberSockets } from './memberSockets.ts'
import { handleRequests } from './requests.ts'
import { bufferedMaxBytes, SocketClient } from './socketClient.ts'
import type { Connection, VenueSocket } from './socketClient.ts'

/** Incoming frames are short requests; our client sends nothing larger. */
const frameMaxBytes = 16 * 1024
const connectTimeoutMs = 10_000

export type RealtimeParts = HandshakeAdmissionParts & {
  server: HttpServer
  market: Market
  members: MemberSockets
  build: string
  /** The site notice sent to each new socket; null if there is none. */
  siteNotice?: () => Notice | null
  /** Reports failures that the sockets survive. */
  report: (message: string, error: unknown) => void
  /** Unsent bytes at which a socket is terminated; the module's default if omitted. */
  bufferedMaxBytes?: number | undefined
}

export type Realtime = {
  /** Sends the site notice to every socket. */
  publishNotice(notice: Notice): void
  counts(): { sockets: number; subscriptionGroups: number; terminated: number }
  /** Stops sending and closes every socket; the HTTP server stays open. */
  close(): void
}

type VenueServer = Server<ClientEvents, VenueEvents, Record<string, never>, { member: Principal | null }>

/** Prices and account events over socket.io, on the venue's own HTTP server. */
export function createRealtime(parts: RealtimeParts): Realtime {
  const { clock, market, members } = parts
  const clients = new Set<SocketClient>()
  const groups = createSubscriptionGroups()
  const broadcast = createBroadcast(market, groups)
  let terminated = 0
  let isStopping = false
  const onOverflow = (): void => void (terminated += 1)
  const io = openServer(parts)
  const requests = { clock, market, groups, broadcast }
  const scheduler = createScheduler(clock, parts.report)

  io.on('connection', (socket) => {
    const client = new SocketClient(socket, parts.bufferedMaxBytes ?? bufferedMaxBytes, onOverflow)
    dropHandshake(socket)
    clients.add(client)
    socket.on('disconnect', (reason) => {
      // Without its handshake the connection cannot join again, and a closing handshake would wait half a minute for it.
      const isLeft = reason === 'client namespace disconnect' || reason === 'forced close'
      if (isLeft && !isStopping) client.terminate()
      client.close()
      clients.delete(client)
      groups.remove(client)
      members.remove(client)
    })
    handleRequests(requests, socket, client)
    client.send('hello', { now: epochMs(clock.now()), build: parts.build, heartbeatMs })
    const notice = parts.siteNotice?.() ?? null
    if (notice) client.send('notice', notice)
    members.add(client)
  })

  const unsubscribes = [
    market.onFlush((flush) => broadcast.publishTicks(flush)),
    market.onTradingHours((id, { status, ...times }) => {
      const event = { id, status, opensAt: epochMs(times.opensAt), closesAt: epochMs(times.closesAt) }
      for (const client of clients) client.send('product', event)
    }),
  ]
  let heartbeatDue = clock.now() + heartbeatMs
  scheduler.add({
    failure: 'sending heartbeats failed',
    firstMs: heartbeatMs,
    retryMs: heartbeatMs,
    run: () => {
      broadcast.publishHeartbeat(clock.now())
      heartbeatDue = Math.max(heartbeatDue + heartbeatMs, clock.now())
      return heartbeatDue - clock.now()
    },
  })
  return {
    publishNotice: (notice) => {
      for (const client of clients) client.send('notice', notice)
    },
    counts: () => ({ sockets: clients.size, subscriptionGroups: [...groups.all()].length, terminated }),
    close: () => {
      for (const unsubscribe of unsubscribes) unsubscribe()
      void scheduler.stop()
      isStopping = true
      // The transport alone: after a packet that disconnects them, clients of Socket.IO do not come back by themselves.
      for (const socket of io.of('/').sockets.values()) socket.conn.close()
      io.engine.close()
    },
  }
}

function openServer(parts: RealtimeParts): VenueServer {
  const allowRequest = (
    request: IncomingMessage,
    callback: (error: string | null | undefined, allowed: boolean) => void,
  ): void =>
    callback(null, isOwnOrigin(request.headers.origin, parts.publicOrigin, handshakeHost(request, parts)))
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
  // Nothing is sent to a room, and Socket.IO would make one for each socket.
  Object.assign(io.of('/').adapter, { addAll: () => undefined })
  // Engine.IO answers requests to its path by itself; its answers need the headers too.
  parts.server.prependListener('request', ({ url }, response) => {
    response.setHeader('Server-Time', parts.clock.now())
    if (url?.startsWith(socketPath) === true) response.setHeaders(new Map(Object.entries(bareHeaders)))
  })
  io.engine.on('headers', (headers: Record<string, string>) => {
    headers['Server-Time'] = String(parts.clock.now())
  })
  const admission = createHandshakeAdmission(parts)
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) =>
    admission.admit(request, response, next),
  )
  io.engine.on('connection', (connection: Connection) =>
    limitInbound(connection, parts.clock, parts.bufferedMaxBytes ?? bufferedMaxBytes),
  )
  io.use((socket, next) => {
    void authenticateSocket(socket, admission, parts.report, next)
  })
  return io
}

/**
 * Releases the handshake's request and what Socket.IO copied from it: several kB for each socket with a browser's headers.
 * Nothing reads them once a socket is connected.
 */
function dropHandshake(socket: VenueSocket): void {
  Object.assign(socket.conn, { request: null })
  Object.assign(socket, { handshake: null })
}

/**
 * Sets the member of a socket. If that fails, or the session exceeds its socket limit, the connection is closed and the
 * client reconnects by itself.
 */
async function authenticateSocket(
  socket: VenueSocket,
  admission: HandshakeAdmission,
  report: RealtimeParts['report'],
  next: () => void,
): Promise<void> {
  try {
    socket.data.member = await admission.authenticate(socket.request)
    next()
  } catch (error) {
    if (error instanceof ApiError) {
      socket.conn.request.socket.destroy()
      return
    }
    report('checking a handshake failed', error)
    socket.conn.close()
  }
}
