import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { systemClock } from '../../../server/platform/clock.ts'
import type { ExchangeName } from '../../../server/market/feed/live/exchanges.ts'
import type { Clock } from '../../../server/platform/ports.ts'
import { seededRandom } from '../random.ts'
import { ExchangeCore, type HttpAnswer } from './exchangeCore.ts'
import type { Fault } from './faults.ts'
import type { Frame } from './frames.ts'
import { sampleSymbols, speeches } from './speech.ts'

export type ExchangeOptions = {
  symbols?: readonly string[]
  /** Any free port without it. */
  port?: number
  seed?: number
  /** Trades of each symbol per second. */
  rate?: number
  faults?: readonly Fault[]
  frames?: readonly Frame[]
  clock?: Clock
  /** Whether trades, frames and faults begin at once or with `core.start()`. */
  isStarted?: boolean
}
export type RunningExchange = { url: string; core: ExchangeCore; close(): Promise<void> }

/** An exchange of our own on a port: WebSocket or, like OANDA, an endless response; calls on the same port. */
export async function openExchange(
  protocol: ExchangeName,
  {
    symbols,
    port = 0,
    seed = 7,
    rate = 5,
    faults = [],
    frames,
    clock = systemClock(),
    isStarted = true,
  }: ExchangeOptions = {},
): Promise<RunningExchange> {
  const speech = speeches[protocol]
  const core = new ExchangeCore({
    clock,
    speech,
    symbols: symbols ?? [sampleSymbols[protocol]],
    next: seededRandom(seed).next,
    rate,
    faults,
    ...(frames && { frames }),
  })
  const server = createServer((request, response) =>
    answer(core, speech.transport === 'stream', request, response),
  )
  const sockets = new WebSocketServer({ noServer: true, autoPong: false })
  server.on('upgrade', (request, socket, head) => {
    const refusal = core.refuse(request.url ?? '/')
    if (refusal) socket.end(refusalText(refusal))
    else sockets.handleUpgrade(request, socket, head, (each) => serveSocket(core, each, request))
  })
  await new Promise<void>((listening, failed) =>
    server.once('error', failed).listen(port, '127.0.0.1', listening),
  )
  const address = server.address() as AddressInfo
  if (isStarted) core.start()
  return {
    url: `${speech.transport === 'stream' ? 'http' : 'ws'}://127.0.0.1:${address.port}`,
    core,
    close: async () => {
      core.stop()
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function serveSocket(core: ExchangeCore, socket: WebSocket, request: IncomingMessage): void {
  const session = core.connect(request.url ?? '/', {
    send: (text) => socket.send(text),
    pong: () => socket.pong(),
    close: () => socket.terminate(),
    closeWithin: (text) => {
      // The head of a frame that announces more than is sent.
      request.socket.write(Buffer.concat([Buffer.from([0x81, 126, 0x03, 0xe8]), Buffer.from(text)]))
      request.socket.destroySoon()
    },
  })
  socket.on('message', (data: Buffer) => session.receive(data.toString()))
  socket.on('ping', () => session.ping())
  socket.on('close', () => session.closed())
  socket.on('error', () => socket.terminate())
}

function answer(
  core: ExchangeCore,
  isStream: boolean,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const path = request.url ?? '/'
  const refusal = isStream && path.includes('/stream') ? core.refuse(path) : null
  if (isStream && path.includes('/stream') && !refusal) {
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    response.flushHeaders()
    const session = core.connect(path, {
      send: (text) => response.write(`${text}\n`),
      pong: () => undefined,
      close: () => response.socket?.destroy(),
      closeWithin: (text) => response.write(text, () => response.socket?.destroy()),
    })
    response.on('close', () => session.closed())
    return
  }
  const { status, body, retryAfter } = refusal ?? core.call(path)
  response
    .writeHead(status, {
      'content-type': 'application/json',
      ...(retryAfter !== null && { 'retry-after': retryAfter }),
    })
    .end(body)
}

function refusalText({ status, body, retryAfter }: HttpAnswer): string {
  const header = retryAfter === null ? '' : `Retry-After: ${retryAfter}\r\n`
  return `HTTP/1.1 ${status} Refused\r\n${header}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
}
