import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { asyncScheduler, interval } from 'rxjs'
import { Server, type Socket } from 'socket.io'
import * as z from 'zod/mini'
import { frameIntervalMs, heartbeatMs, replayBuild } from '../../../../contract/constants.ts'
import { socketPath, subscribeRequest, unsubscribeRequest } from '../../../../contract/socket.ts'
import { tickEncodingOf, tickEvents } from '../../../../contract/tickFrame.ts'
import {
  createReplayMarket,
  type ReplayClient,
  type ReplayMarket,
} from '../../../../streams/replay/replayMarket.ts'
import type { ReplayProduct } from '../../../../streams/replay/replayedProduct.ts'
import { UsageError } from './command.ts'
import { bodyOf, listenAt } from './httpServer.ts'
import { answerCall, failed, type Answer } from './replayCalls.ts'
import type { ReportOrigin } from './report.ts'

export type ReplayServerOptions = {
  port: number
  /** The address to serve at; default: this machine's own. `0.0.0.0`: every one. */
  host?: string
  speed: number
  waits: boolean
  /** The report that the products are of, if they are. */
  report?: ReportOrigin | undefined
}
export type ReplayServer = { url: string; market: ReplayMarket; close: () => Promise<void> }

const speedMin = 0.1
const speedMax = 1000

/** Of `--speed`, or of a control message. @throws UsageError if it is none */
export function speedOf(given: string | number): number {
  const speed = given === 'max' ? Infinity : Number(given)
  if (given === 'max' || (speed >= speedMin && speed <= speedMax)) return speed
  throw new UsageError(`the speed is ${speedMin} to ${speedMax}, or max, not ${given}`)
}

/** `seek`, `to` and `from` are recorded instants, epoch ms; `step` pauses that many ms later. */
const control = z.strictObject({
  speed: z.optional(z.union([z.number(), z.string()])),
  paused: z.optional(z.boolean()),
  step: z.optional(z.number().check(z.positive())),
  seek: z.optional(z.number()),
  gap: z.optional(z.strictObject({ from: z.number(), to: z.number(), product: z.optional(z.string()) })),
})

/**
 * Serves recordings over the venue's own socket and calls and to pages of any origin. The recording starts with the
 * first subscription, so that no client misses its beginning; with `waits`, when `/replay` says so.
 */
export async function serveReplay(
  products: readonly ReplayProduct[],
  { port, host = '127.0.0.1', speed, waits, report }: ReplayServerOptions,
): Promise<ReplayServer> {
  const market = createReplayMarket(products, { speed, scheduler: asyncScheduler, isPaused: true })
  let isStarted = waits
  const startOnce = (): void => {
    if (!isStarted) market.clock.resume()
    isStarted = true
  }
  const server = createServer((request, response) => {
    void respond(market, report, request)
      // A path that is none, or a body that breaks off.
      .catch(() => failed(400, 'VALIDATION'))
      .then((answer) => send(response, market, answer))
  })
  const sockets = new Server(server, { path: socketPath, transports: ['websocket'], serveClient: false })
  const clients = new Map<Socket, ReplayClient>()
  sockets.on('connection', (socket) => {
    const client = market.client()
    clients.set(socket, client)
    socket.on('disconnect', () => clients.delete(socket))
    listen(socket, client, market, startOnce)
    socket.emit('hello', { now: market.clock.now(), build: replayBuild, heartbeatMs })
  })
  const sendFrames = (): void => {
    for (const [socket, client] of clients) {
      const { event, encode } = tickEvents[tickEncodingOf(socket.handshake.query)]
      for (const blocks of client.newFrames()) socket.emit(event, encode({ at: market.clock.now(), blocks }))
      for (const change of client.statusChanges()) socket.emit('product', change)
    }
  }
  const timers = interval(frameIntervalMs).subscribe(sendFrames)
  timers.add(
    interval(heartbeatMs).subscribe(() => {
      sendFrames()
      for (const [socket, client] of clients) {
        socket.emit('figures', client.figures())
        socket.emit('feed', client.feed())
      }
    }),
  )
  const url = await listenAt(server, port, host).catch((error: unknown) => {
    timers.unsubscribe()
    throw error
  })
  return {
    url,
    market,
    close: async () => {
      timers.unsubscribe()
      server.closeAllConnections()
      await sockets.close()
    },
  }
}

function listen(socket: Socket, client: ReplayClient, market: ReplayMarket, onSubscribe: () => void): void {
  const answerWith =
    <T>(schema: z.ZodMiniType<T>, act: (request: T) => unknown) =>
    (data: unknown, acknowledge?: unknown): void => {
      const parsed = schema.safeParse(data)
      const answer = parsed.success ? act(parsed.data) : { ok: false, code: 'VALIDATION' }
      if (typeof acknowledge === 'function') acknowledge(answer)
    }
  const { now } = market.clock
  socket.on(
    'clock',
    answerWith(z.number(), (t0) => ({ t0, t1: now(), t2: now() })),
  )
  socket.on(
    'subscribe',
    answerWith(subscribeRequest, ({ products, mode = 'all' }) => {
      const answer = client.subscribe(products, mode)
      onSubscribe()
      return answer
    }),
  )
  socket.on(
    'unsubscribe',
    answerWith(unsubscribeRequest, ({ products }) => client.unsubscribe(products)),
  )
}

async function respond(
  market: ReplayMarket,
  report: ReportOrigin | undefined,
  request: IncomingMessage,
): Promise<Answer> {
  if (request.method === 'OPTIONS') return { status: 204, body: undefined }
  const url = new URL(request.url ?? '/', 'http://replay')
  if (url.pathname.startsWith('/api/')) return answerCall(market, request.method ?? 'GET', url)
  if (url.pathname !== '/replay') return failed(404, 'NOT_FOUND')
  if (request.method === 'POST') {
    const wrong = steer(market, await bodyOf(request))
    if (wrong !== undefined) return { status: 400, body: { error: wrong } }
  }
  const { now, speed, isPaused } = market.clock
  const shownSpeed = speed === Infinity ? 'max' : speed
  return { status: 200, body: { now: now(), ...market.span, speed: shownSpeed, paused: isPaused, report } }
}

/** Applies a control message; returns what is wrong with it. */
function steer(market: ReplayMarket, text: string | null): string | undefined {
  try {
    const { speed: given, paused, step, seek, gap } = control.parse(JSON.parse(text ?? ''))
    const speed = given === undefined ? undefined : speedOf(given)
    if (gap !== undefined) market.gap(gap.from, gap.to, gap.product)
    if (speed !== undefined) market.clock.speed = speed
    if (seek !== undefined) market.clock.seek(seek)
    if (step !== undefined) {
      market.clock.pause()
      market.clock.seek(market.clock.now() + step)
    }
    if (paused !== undefined) market.clock[paused ? 'pause' : 'resume']()
    return undefined
  } catch (error) {
    if (error instanceof RangeError || error instanceof UsageError) return error.message
    return 'send {speed?, paused?, step?, seek?, gap?: {from, to, product?}}'
  }
}

function send(response: ServerResponse, market: ReplayMarket, { status, body }: Answer): void {
  const headers = {
    'content-type': 'application/json',
    'server-time': String(market.clock.now()),
    // A replay has no members, so there is nothing to protect from other pages.
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'Content-Type',
    'access-control-allow-methods': 'GET, POST',
    'access-control-expose-headers': 'Server-Time',
  }
  response.writeHead(status, headers).end(JSON.stringify(body))
}
