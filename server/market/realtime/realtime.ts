import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import { Server } from 'socket.io'
import { epochMs } from '../../../contract/units.ts'
import { heartbeatMs } from '../../../contract/constants.ts'
import { socketPath, type Notice } from '../../../contract/socket.ts'
import { bareHeaders } from '../../platform/http/headers.ts'
import { isOwnOrigin } from '../../platform/http/origin.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Market } from '../ports.ts'
import type { Principal } from '../../platform/ports.ts'
import { createScheduler } from '../../platform/scheduler.ts'
import { createSubscriptionGroups } from './subscriptionGroups.ts'
import { createBroadcast } from './broadcast.ts'
import {
  createHandshakeAdmission,
  type HandshakeAdmission,
  type HandshakeAdmissionParts,
} from './handshakeAdmission.ts'
import type { ClientEvents, VenueEvents } from './events.ts'
import { handshakeHost } from './handshake.ts'
import { limitInbound } from './inboundLimit.ts'
import type { MemberSockets } from './memberSockets.ts'
import { PollingClient } from './pollingClient.ts'
import { handleRequests } from './requests.ts'
import {
  bufferedMaxBytes,
  endHandshake,
  isPolling,
  type Connection,
  type SocketClient,
  type VenueSocket,
} from './socketClient.ts'
import { WebSocketClient } from './webSocketClient.ts'
import type { MarketConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

/** Incoming frames are short requests; our client sends nothing larger. */
const frameMaxBytes = 16 * 1024
const connectTimeoutMs = 10_000
const socketHeaders = { ...bareHeaders, 'Cache-Control': 'no-store' }

export type RealtimeParts = Omit<HandshakeAdmissionParts, 'isStopping'> & {
  server: HttpServer
  settings: OperatorSettings<MarketConfig, 'longPolling'>
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

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export type Realtime = {
  /** Returns a handler that serves the requests for sockets, polls and those that are refused, and passes on the others. */
  serveBefore(others: Handler): Handler
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
  const io = openServer({ ...parts, isStopping: () => isStopping })
  const requests = { clock, market, groups, broadcast }
  const scheduler = createScheduler(clock, parts.report)

  io.on('connection', (socket) => {
    const Client = isPolling(socket.conn) ? PollingClient : WebSocketClient
    const client = new Client(socket, parts.bufferedMaxBytes ?? bufferedMaxBytes, onOverflow)
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
    serveBefore: (others) => serveSockets(io, others),
    publishNotice: (notice) => {
      for (const client of clients) client.send('notice', notice)
    },
    counts: () => ({ sockets: clients.size, subscriptionGroups: [...groups.all()].length, terminated }),
    close: () => {
      for (const unsubscribe of unsubscribes) unsubscribe()
      void scheduler.stop()
      isStopping = true
      // The transport alone: after a packet that disconnects them, clients of Socket.IO do not come back by themselves.
      for (const client of clients) client.closeTransport()
      // A client that polls has until the port is closed to fetch what was sent.
      for (const connection of connectionsOf(io)) if (connection.readyState === 'open') connection.close(true)
    },
  }
}

const serveSockets = (io: VenueServer, others: Handler): Handler => {
  const engine = io.engine as unknown as { handleRequest: Handler }
  return (request, response) => {
    if (request.url?.startsWith(`${socketPath}/`) === true) engine.handleRequest(request, response)
    else others(request, response)
  }
}

/** Every connection, also in its handshake. */
const connectionsOf = (io: VenueServer): Connection[] =>
  Object.values((io.engine as unknown as { clients: Record<string, Connection> }).clients)

function openServer(parts: RealtimeParts & HandshakeAdmissionParts): VenueServer {
  const { server } = parts
  const allowRequest = (
    request: IncomingMessage,
    callback: (error: string | null | undefined, allowed: boolean) => void,
  ): void => {
    const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers
    // Pages of other sites can send some GET requests without an origin.
    callback(
      null,
      isOwnOrigin(origin, parts.publicOrigin, handshakeHost(request, parts)) &&
        (request.headers.upgrade !== undefined || site === 'same-origin'),
    )
  }
  const listeners = server.listeners('request') as ((...event: unknown[]) => void)[]
  const io: VenueServer = new Server(server, {
    path: socketPath,
    serveClient: false,
    transports: parts.settings.operatorConfig.longPolling ? ['websocket', 'polling'] : ['websocket'],
    allowUpgrades: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: frameMaxBytes,
    connectTimeout: connectTimeoutMs,
    allowRequest,
  })
  // Nothing is sent to a room, and Socket.IO would make one for each socket.
  Object.assign(io.of('/').adapter, { addAll: () => undefined })
  // Polls take their turn among all requests: Engine.IO would serve its own before the venue's listener sees them.
  server.removeAllListeners('request')
  for (const listener of listeners) server.on('request', listener)
  // Its answers need the headers too.
  server.prependListener('request', ({ url }, response) => {
    response.setHeader('Server-Time', parts.clock.now())
    if (url?.startsWith(socketPath) === true) response.setHeaders(new Map(Object.entries(socketHeaders)))
  })
  io.engine.on('headers', (headers: Record<string, string>) => {
    headers['Server-Time'] = String(parts.clock.now())
  })
  const admission = createHandshakeAdmission(parts)
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) =>
    admission.admit(request, response, next),
  )
  io.engine.on('connection', (connection: Connection) => {
    admission.opened(connection)
    if (!isPolling(connection))
      limitInbound(connection, parts.clock, parts.bufferedMaxBytes ?? bufferedMaxBytes)
  })
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
    socket.data.member = await admission.authenticate(socket.conn, socket.request)
    next()
  } catch (error) {
    if (error instanceof ApiError) {
      endHandshake(socket.conn)
      return
    }
    report('checking a handshake failed', error)
    socket.conn.close()
  }
}
