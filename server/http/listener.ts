import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { ApiError, errorBodyOf } from '../apiError.ts'
import { bareHeaders } from './headers.ts'
import { wantsPage, renderStatusPage } from './statusPage.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A connection must outlive the usual idle timeout of a load balancer, a minute. */
const keepAliveMs = 65_000
const requestMaxMs = 60_000
const headersMaxMs = 15_000
const sweepMs = 50
/** Requests started in one turn of the event loop: about a millisecond of work. */
const requestsPerTurn = 4
/** Requests that may wait in one queue: a few megabytes, and several seconds of work. */
const defaultQueueMax = 10_000
/** A queue frees the entries it has handed out once there are this many. */
const compactAfter = 1024
/** A connection without traffic for this long is closed: a response that is never read must not stay in memory. */
const defaultStallTimeoutMs = 30_000

/** The venue's only port. It answers 503 while the venue starts and stops, and calls the handler in between. */
export type Listener = {
  readonly server: Server
  /** @throws the system's error: EADDRINUSE, EACCES, EADDRNOTAVAIL */
  listen(port: number, host: string): Promise<AddressInfo>
  /** @param hasPriority which requests start before the others that wait, if many come at once; must not throw */
  serve(handler: Handler, hasPriority?: (request: IncomingMessage) => boolean): void
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
  /** Logs a request that got 503 here: no other code sees it. */
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
  const reject: Handler = (request, response) => {
    const requestId = randomUUID()
    sendUnavailable(request, response, { now: clock.now(), requestId })
    unavailable({ requestId, method: request.method ?? '', isServing: handler !== null })
  }
  const pacedHandler = paceRequests({
    handle: (request, response) => (handler ?? reject)(request, response),
    reject,
    hasPriority: (request) => hasPriority(request),
    queueMax,
  })
  const server = createServer(serializePerConnection(pacedHandler))
  // Node does not track a connection that became a WebSocket, but would wait for it forever.
  const connections = new Set<Socket>()
  server.on('connection', (connection: Socket) => {
    connections.add(connection)
    // Node removes its own listener at an upgrade: a client's reset before the answer must not crash the process.
    connection.on('error', () => undefined)
    connection.once('close', () => connections.delete(connection))
  })
  server.keepAliveTimeout = keepAliveMs
  server.requestTimeout = requestMaxMs
  server.headersTimeout = headersMaxMs
  // WebSockets leave this timer when they are upgraded. A slow reader restarts it with each byte it reads.
  server.timeout = stallTimeoutMs
  return {
    server,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve(server.address() as AddressInfo)
        })
      }),
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
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // A connection becomes idle after its last response, so this runs repeatedly.
      const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
      server.closeIdleConnections()
      await closed
      clearInterval(sweep)
      clearTimeout(timer)
    },
  }
}

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
