import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, Server as TcpServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, errorBodyOf } from '../apiError.ts'
import { bareHeaders } from './headers.ts'
import { wantsPage, renderStatusPage } from './statusPage.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A connection must outlive the usual idle timeout of a load balancer, a minute. */
const keepAliveMs = 65_000
const requestMaxMs = 60_000
const headersMaxMs = 15_000
const sweepMs = 50
/** A balancer that has sent nothing for this long, while the port was closed, uses other nodes. */
const quietMs = 1000
/** How often to wait for it: each of its requests ends a connection, and a balancer keeps several. */
const quietRoundsMax = 6
/** Requests started in one turn of the event loop: about a millisecond of work. */
const requestsPerTurn = 4
/** Requests that may wait in one queue: a few megabytes, and several seconds of work. */
const defaultQueueMax = 10_000
/** A queue frees the entries it has handed out once there are this many. */
const compactAfter = 1024
/** A connection without traffic for this long is closed: a response that is never read must not stay in memory. */
const defaultStallTimeoutMs = 30_000

/** The venue's only port. It answers 503 as long as there is no handler, and calls that otherwise. */
export type Listener = {
  readonly server: Server
  /** @throws the system's error: EADDRINUSE, EACCES, EADDRNOTAVAIL */
  listen(port: number, host: string): Promise<AddressInfo>
  /** @param hasPriority which requests start before the others that wait, if many come at once; must not throw */
  serve(handler: Handler, hasPriority?: (request: IncomingMessage) => boolean): void
  /**
   * Accepts no more connections, so that a balancer sends requests elsewhere: to one that is refused it has sent nothing.
   * Serves the requests of those that are open, each of which ends with its answer, until none has come for a second;
   * one that comes later gets 503.
   */
  drain(): Promise<void>
  /** From now on new requests get 503. */
  stopServing(): void
  /** Waits for the requests in progress, then releases the port. */
  close(): Promise<void>
}

export type ListenerOptions = {
  /** How long requests in progress may take to finish when the venue stops. */
  gracePeriodMs?: number
  /** How long a connection may neither take nor send a byte while it has a request. */
  stallTimeoutMs?: number
  /** How many requests may wait in each of the two queues; one more gets 503 at once. */
  queueMax?: number
  /** Logs a request that got 503 here, because it reaches no other code. */
  unavailable?: (request: Unavailable) => void
}

/** A request that got 503. It has no route, as it reached none. While the venue serves, too many waited. */
export type Unavailable = { requestId: string; method: string; isServing: boolean }

export function createListener(
  clock: { now(): number },
  {
    gracePeriodMs = 3000,
    stallTimeoutMs = defaultStallTimeoutMs,
    queueMax = defaultQueueMax,
    unavailable = () => undefined,
  }: ListenerOptions = {},
): Listener {
  let handler: Handler | null = null
  let hasPriority: (request: IncomingMessage) => boolean = () => false
  /** Resolves when the port is closed and no connection is left; null while the port is open. */
  let closed: Promise<void> | null = null
  /** Requests since then. */
  let lateRequests = 0
  const reject: Handler = (request, response) => {
    const requestId = randomUUID()
    sendUnavailable(request, response, { now: clock.now(), requestId })
    unavailable({ requestId, method: request.method ?? '', isServing: handler !== null })
  }
  const pacedHandler = paceRequests({
    handle: (request, response) => {
      if (closed !== null) {
        lateRequests += 1
        response.shouldKeepAlive = false
      }
      ;(handler ?? reject)(request, response)
    },
    reject,
    hasPriority: (request) => hasPriority(request),
    queueMax,
  })
  const server = createServer(serializePerConnection(pacedHandler))
  const connections = trackConnections(server)
  server.keepAliveTimeout = keepAliveMs
  server.requestTimeout = requestMaxMs
  server.headersTimeout = headersMaxMs
  // WebSockets leave this timer when they are upgraded. A slow reader restarts it with each byte it reads.
  server.timeout = stallTimeoutMs
  // Not that of an HTTP server, which ends idle connections at once, perhaps while a balancer sends a request on one.
  const closePort = (): Promise<void> =>
    (closed ??= new Promise((resolve) => TcpServer.prototype.close.call(server, () => resolve())))
  return {
    server,
    listen: (port, host) => listenAt(server, port, host),
    drain: async () => {
      // What the system has accepted already would be reset with the port.
      await new Promise(setImmediate)
      await untilQuiet(closePort(), () => lateRequests)
      handler = null
    },
    serve: (next, nextHasPriority = () => false) => {
      handler = next
      hasPriority = nextHasPriority
    },
    stopServing: () => {
      handler = null
    },
    close: async () => {
      const timer = setTimeout(() => {
        for (const connection of connections) connection.destroy()
      }, gracePeriodMs)
      await endIdleUntil(closePort(), server)
      clearTimeout(timer)
    },
  }
}

/** Ends the connections without a request until all are closed. One becomes idle after its last response. */
async function endIdleUntil(allClosed: Promise<void>, server: Server): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
  server.closeIdleConnections()
  await allClosed
  clearInterval(sweep)
}

/** Waits until a count has not grown for a while, or all connections are closed. */
async function untilQuiet(allClosed: Promise<void>, count: () => number): Promise<void> {
  const ending = new AbortController()
  const pause = (): Promise<unknown> =>
    Promise.race([allClosed, wait(quietMs, undefined, ending).catch(() => undefined)])
  void allClosed.then(() => ending.abort())
  for (let round = 1, before = -1; round <= quietRoundsMax && count() > before; round += 1) {
    before = count()
    await pause()
    if (ending.signal.aborted) return
  }
}

/** Node does not track a connection that became a WebSocket, but would wait for it forever. */
function trackConnections(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>()
  server.on('connection', (connection: Socket) => {
    connections.add(connection)
    // Node removes its own listener at an upgrade: a client's reset before the answer must not crash the process.
    connection.on('error', () => undefined)
    connection.once('close', () => connections.delete(connection))
  })
  return connections
}

/**
 * Whether a port can be opened, without keeping it open: a node that starts gets no requests before it can answer them.
 * @returns its address
 * @throws the system's error: EADDRINUSE, EACCES, EADDRNOTAVAIL
 */
export async function checkPort(port: number, host: string): Promise<AddressInfo> {
  const server = createTcpServer((connection) => connection.destroy())
  const address = await listenAt(server, port, host)
  await new Promise((resolve) => server.close(resolve))
  return address
}

const listenAt = (server: TcpServer, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })

/**
 * Handles the requests of a connection one after another. Closes a connection that sends a request while an earlier one
 * has no answer yet: browsers do not do that, Node would read such requests without bound, and a response that waits for
 * its connection emits nothing when that closes. A client may have the whole response before it is finished here, so the
 * next request waits for that.
 */
function serializePerConnection(handle: Handler): Handler {
  const latest = new WeakMap<Socket, ServerResponse>()
  return (request, response) => {
    const { socket } = request
    const previous = latest.get(socket)
    latest.set(socket, response)
    // Node assigns the connection to a response when the previous response has finished.
    if (response.socket) handle(request, response)
    else if (previous?.socket && previous.headersSent)
      previous.once('finish', () => handle(request, response))
    else socket.destroy()
  }
}

type PacerOptions = {
  handle: Handler
  /** Answers a request for which the queue has no space. */
  reject: Handler
  hasPriority: (request: IncomingMessage) => boolean
  queueMax: number
}

/**
 * Starts a few requests per turn of the event loop. Node serves all ready connections in one turn, before any timer,
 * database answer or socket: without this, a thousand requests that come at once would delay everything else.
 */
function paceRequests({ handle, reject, hasPriority, queueMax }: PacerOptions): Handler {
  const priorityQueue = createQueue()
  const normalQueue = createQueue()
  let scheduled = false
  const runTurn = (): void => {
    // One request without priority starts each turn, however many have priority.
    for (let n = 1; n <= requestsPerTurn; n++) {
      const [request, response] =
        (n === 1
          ? (normalQueue.shift() ?? priorityQueue.shift())
          : (priorityQueue.shift() ?? normalQueue.shift())) ?? []
      // A closed connection needs no answer and would emit no event when the request ends.
      if (request && response?.socket && !response.socket.destroyed) handle(request, response)
    }
    scheduled = priorityQueue.size() + normalQueue.size() > 0
    if (scheduled) setImmediate(runTurn)
  }
  return (request, response) => {
    const queue = hasPriority(request) ? priorityQueue : normalQueue
    if (queue.size() >= queueMax) {
      reject(request, response)
      return
    }
    queue.push([request, response])
    if (!scheduled) setImmediate(runTurn)
    scheduled = true
  }
}

type QueuedRequest = [IncomingMessage, ServerResponse]

/** First in, first out. */
function createQueue() {
  let waiting: QueuedRequest[] = []
  let next = 0
  return {
    push: (request: QueuedRequest): void => void waiting.push(request),
    size: (): number => waiting.length - next,
    shift: (): QueuedRequest | undefined => {
      const request = waiting[next]
      if (!request) return undefined
      next += 1
      if (next >= compactAfter || next >= waiting.length) {
        waiting = waiting.slice(next)
        next = 0
      }
      return request
    },
  }
}

/** Sends 503: to browsers a page that reloads itself, to programs the contract's error. */
function sendUnavailable(
  request: IncomingMessage,
  response: ServerResponse,
  { now, requestId }: { now: number; requestId: string },
): void {
  const { method, url = '/', headers } = request
  const page = wantsPage(method, url, headers) ? renderStatusPage('starting', headers) : null
  response.writeHead(503, {
    ...(page?.headers ?? jsonHeaders),
    'Server-Time': now,
    'X-Request-Id': requestId,
    'Retry-After': 1,
    Connection: 'close',
  })
  response.end(page?.html ?? JSON.stringify(errorBodyOf(new ApiError('UNAVAILABLE'), requestId)))
}

const jsonHeaders = {
  ...bareHeaders,
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
}
