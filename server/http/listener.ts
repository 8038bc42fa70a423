import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { wantsPage, renderStatusPage } from './statusPage.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Behind a balancer a connection must outlive the balancer's own patience of a minute. */
const keepAliveMs = 65_000
const requestMaxMs = 60_000
const headersMaxMs = 15_000
const sweepMs = 50
/** Requests that are begun in one turn of the loop: about a millisecond of work. */
const requestsPerTurn = 4
/** Requests that may wait in one queue: a few megabytes, and several seconds of work. */
const defaultQueueMax = 10_000
/** A queue drops what it has handed on once it is this much. */
const compactAfter = 1024
/** A connection on which nothing moves for this long is cut: an answer that nobody reads must not be kept for ever. */
const defaultStallTimeoutMs = 30_000

/** The venue's one port: it answers 503 while the venue starts and stops, and hands over in between. */
export type Listener = {
  readonly server: Server
  /** @throws what the system says: EADDRINUSE, EACCES, EADDRNOTAVAIL */
  listen(port: number, host: string): Promise<AddressInfo>
  /** @param hasPriority which requests are begun ahead of the others that wait, if many come at once; must not throw */
  serve(handler: Handler, hasPriority?: (request: IncomingMessage) => boolean): void
  /** New requests are refused from here on. */
  stopServing(): void
  /** Waits for what is under way, then lets go of the port. */
  close(): Promise<void>
}

export type ListenerOptions = {
  /** What is under way when the venue stops may finish for this long. */
  gracePeriodMs?: number
  /** How long a connection may neither take nor send a byte while it has a request. */
  stallTimeoutMs?: number
  /** How many requests may wait in each of the two queues; one more is answered 503 at once. */
  queueMax?: number
}

export function createListener(
  clock: { now(): number },
  {
    gracePeriodMs = 3000,
    stallTimeoutMs = defaultStallTimeoutMs,
    queueMax = defaultQueueMax,
  }: ListenerOptions = {},
): Listener {
  let handler: Handler | null = null
  let hasPriority: (request: IncomingMessage) => boolean = () => false
  const pacedHandler = paceRequests({
    handle: (request, response) => {
      if (handler) handler(request, response)
      else sendUnavailable(request, response, clock.now())
    },
    reject: (request, response) => sendUnavailable(request, response, clock.now()),
    hasPriority: (request) => hasPriority(request),
    queueMax,
  })
  const server = createServer(serializePerConnection(pacedHandler))
  // Node forgets a connection that became a WebSocket, and would wait for it for ever.
  const connections = new Set<Socket>()
  server.on('connection', (connection: Socket) => {
    connections.add(connection)
    // Node takes its own listener off at an upgrade: a client that resets before it is answered must end nothing.
    connection.on('error', () => undefined)
    connection.once('close', () => connections.delete(connection))
  })
  server.keepAliveTimeout = keepAliveMs
  server.requestTimeout = requestMaxMs
  server.headersTimeout = headersMaxMs
  // WebSockets leave this timer when they are upgraded; a slow reader restarts it with each byte it takes.
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
      // A connection that has just had its last answer is idle from then on.
      const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
      server.closeIdleConnections()
      await closed
      clearInterval(sweep)
      clearTimeout(timer)
    },
  }
}

/**
 * Hands on the requests of a connection one after another, and cuts a connection that sends one while an earlier one has
 * no answer yet: no browser does, Node would read such requests without bound, and a response that is waiting for its
 * connection emits nothing when that closes. An answer may be whole for the client before it is ended here, so the
 * request after it waits for that end.
 */
function serializePerConnection(handle: Handler): Handler {
  const latest = new WeakMap<Socket, ServerResponse>()
  return (request, response) => {
    const { socket } = request
    const previous = latest.get(socket)
    latest.set(socket, response)
    // Node gives a response its connection when the one before has finished.
    if (response.socket) handle(request, response)
    else if (previous?.socket && previous.headersSent)
      previous.once('finish', () => handle(request, response))
    else socket.destroy()
  }
}

type PacerOptions = {
  handle: Handler
  /** Answers a request that may not wait. */
  reject: Handler
  hasPriority: (request: IncomingMessage) => boolean
  queueMax: number
}

/**
 * Hands requests on a few a turn of the loop. Node serves every ready connection in one turn, and no timer, database
 * answer or socket gets its own before the last one is done: a thousand requests that come at once would hold up all else.
 */
function paceRequests({ handle, reject, hasPriority, queueMax }: PacerOptions): Handler {
  const priorityQueue = createQueue()
  const normalQueue = createQueue()
  let scheduled = false
  const runTurn = (): void => {
    // One of the others goes each turn, whatever is ahead of them.
    for (let n = 1; n <= requestsPerTurn; n++) {
      const [request, response] =
        (n === 1
          ? (normalQueue.shift() ?? priorityQueue.shift())
          : (priorityQueue.shift() ?? normalQueue.shift())) ?? []
      // Whoever left meanwhile needs no answer, and a closed connection would never tell that the request is over.
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
    push: (one: QueuedRequest): void => void waiting.push(one),
    size: (): number => waiting.length - next,
    shift: (): QueuedRequest | undefined => {
      const one = waiting[next]
      if (!one) return undefined
      next += 1
      if (next >= compactAfter || next >= waiting.length) {
        waiting = waiting.slice(next)
        next = 0
      }
      return one
    },
  }
}

/** Browsers get a page that comes back by itself, programs the contract's error. */
function sendUnavailable(request: IncomingMessage, response: ServerResponse, now: number): void {
  const { method, url = '/', headers } = request
  const page = wantsPage(method, url, headers) ? renderStatusPage('starting', headers) : null
  response.writeHead(503, {
    ...(page?.headers ?? jsonHeaders),
    'Server-Time': now,
    'Retry-After': 1,
    Connection: 'close',
  })
  response.end(page?.html ?? '{"error":{"code":"UNAVAILABLE","requestId":""}}')
}

const jsonHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
}
