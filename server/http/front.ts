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
/** A connection on which nothing moves for this long is cut: an answer that nobody reads must not be kept for ever. */
const stalledMaxMs = 30_000

/** The venue's one port: it answers 503 while the venue starts and stops, and hands over in between. */
export type Front = {
  readonly server: Server
  /** @throws what the system says: EADDRINUSE, EACCES, EADDRNOTAVAIL */
  listen(port: number, host: string): Promise<AddressInfo>
  open(handler: Handler): void
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
  const server = createServer((request, response) => {
    if (handler) handler(request, response)
    else unavailable(request, response, clock.now())
  })
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
    open: (next) => {
      handler = next
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
