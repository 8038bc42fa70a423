import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { wantsPage, wordsPage } from './wordsPage.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Behind a balancer a connection must outlive the balancer's own patience of a minute. */
const keepAliveMs = 65_000
const requestMaxMs = 60_000
const headersMaxMs = 15_000
const sweepMs = 50
/** Requests that are begun in one turn of the loop: about a millisecond of work. */
const requestsPerTurn = 4
/** A connection on which nothing moves for this long is cut: an answer that nobody reads must not be kept for ever. */
const stalledMaxMs = 30_000

/** The venue's one port: it answers 503 while the venue starts and stops, and hands over in between. */
export type Front = {
  readonly server: Server
  /** @throws what the system says: EADDRINUSE, EACCES, EADDRNOTAVAIL */
  listen(port: number, host: string): Promise<AddressInfo>
  /** @param goesFirst which requests are begun ahead of the others that wait, if many come at once; must not throw */
  open(handler: Handler, goesFirst?: (request: IncomingMessage) => boolean): void
  /** New requests are refused from here on. */
  refuse(): void
  /** Waits for what is under way, then lets go of the port. */
  close(): Promise<void>
}

export type FrontTimes = {
  /** What is under way when the venue stops may finish for this long. */
  finishMs?: number
  /** How long a connection may neither take nor send a byte while it has a request. */
  stalledMs?: number
}

export function createFront(
  clock: { now(): number },
  { finishMs = 3000, stalledMs = stalledMaxMs }: FrontTimes = {},
): Front {
  let handler: Handler | null = null
  let goesFirst: (request: IncomingMessage) => boolean = () => false
  const paced = inTurns(
    (request, response) => {
      if (handler) handler(request, response)
      else unavailable(request, response, clock.now())
    },
    (request) => goesFirst(request),
  )
  const server = createServer(paced)
  // Node forgets a connection that became a WebSocket, and would wait for it for ever.
  const connections = new Set<Socket>()
  server.on('connection', (connection: Socket) => {
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
  })
  server.keepAliveTimeout = keepAliveMs
  server.requestTimeout = requestMaxMs
  server.headersTimeout = headersMaxMs
  // WebSockets leave this timer when they are upgraded; a slow reader restarts it with each byte it takes.
  server.timeout = stalledMs
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
    open: (next, first = () => false) => {
      handler = next
      goesFirst = first
    },
    refuse: () => {
      handler = null
    },
    close: async () => {
      const timer = setTimeout(() => {
        for (const connection of connections) connection.destroy()
      }, finishMs)
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
 * Hands requests on a few a turn of the loop. Node serves every ready connection in one turn, and no timer, database
 * answer or socket gets its own before the last one is done: a thousand requests that come at once would hold up all else.
 */
function inTurns(handle: Handler, goesFirst: (request: IncomingMessage) => boolean): Handler {
  const first = line()
  const others = line()
  let scheduled = false
  const go = (): void => {
    // One of the others goes each turn, whatever is ahead of them.
    for (let n = 1; n <= requestsPerTurn; n++) {
      const [request, response] =
        (n === 1 ? (others.take() ?? first.take()) : (first.take() ?? others.take())) ?? []
      // Whoever left meanwhile needs no answer.
      if (request && response && !response.destroyed) handle(request, response)
    }
    scheduled = first.waits() || others.waits()
    if (scheduled) setImmediate(go)
  }
  return (request, response) => {
    const own = goesFirst(request) ? first : others
    own.put([request, response])
    if (!scheduled) setImmediate(go)
    scheduled = true
  }
}

type Waiting = [IncomingMessage, ServerResponse]

/** First in, first out; nothing moves when one is taken. */
function line() {
  let waiting: Waiting[] = []
  let next = 0
  return {
    put: (one: Waiting): void => void waiting.push(one),
    waits: (): boolean => waiting.length > 0,
    take: (): Waiting | undefined => {
      const one = waiting[next]
      next += 1
      if (next >= waiting.length) {
        waiting = []
        next = 0
      }
      return one
    },
  }
}

/** Browsers get a page that comes back by itself, programs the contract's error. */
function unavailable(request: IncomingMessage, response: ServerResponse, now: number): void {
  const { method, url = '/', headers } = request
  const page = wantsPage(method, url, headers) ? wordsPage('starting', headers) : null
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
