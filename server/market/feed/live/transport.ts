import WebSocket from 'ws'
import type { HttpRefusal } from './ban.ts'

export type ConnectionHandlers = {
  opened(): void
  message(text: string): void
  ponged(): void
  /** Once, whatever ends the connection; also if it never opened, with the answer if the exchange refused it by HTTP. */
  closed(why: string, refusal?: HttpRefusal): void
}
export type Connection = { send(text: string): void; ping(): void; close(): void }
export type Headers = Readonly<Record<string, string>>

/** How lines reach an exchange. */
export type Transport = {
  socket(address: string, headers: Headers, handlers: ConnectionHandlers): Connection
  /** A response that never ends, one message a line. */
  stream(address: string, headers: Headers, handlers: ConnectionHandlers): Connection
  /** @throws HttpError if the answer's status is not a success */
  get(address: string, headers: Headers): Promise<string>
}

/** An HTTP answer other than success. */
export class HttpError extends Error {
  readonly refusal: HttpRefusal

  constructor(refusal: HttpRefusal) {
    super(`answered ${refusal.status}`)
    this.refusal = refusal
  }
}

const handshakeMs = 10_000
const callMs = 5000
const messageMaxBytes = 4 * 1024 * 1024

/** WebSocket and HTTP over the network. */
export const networkTransport: Transport = { socket: openSocket, stream: openStream, get: fetchText }

function openSocket(address: string, headers: Headers, handlers: ConnectionHandlers): Connection {
  const socket = new WebSocket(address, {
    headers,
    handshakeTimeout: handshakeMs,
    maxPayload: messageMaxBytes,
    perMessageDeflate: false,
  })
  let why = 'closed'
  let refusal: HttpRefusal | undefined
  socket.on('unexpected-response', (_request, { statusCode = 0, headers: answer }) => {
    refusal = { status: statusCode, retryAfter: answer['retry-after'] ?? null }
    why = `answered ${statusCode}`
    socket.terminate()
  })
  socket.on('open', () => handlers.opened())
  socket.on('message', (data: Buffer) => handlers.message(data.toString()))
  socket.on('pong', () => handlers.ponged())
  socket.on('error', (error) => {
    if (!refusal) why = error.message
  })
  socket.on('close', (code) => handlers.closed(why === 'closed' ? `closed with code ${code}` : why, refusal))
  const whenOpen = (act: () => void): void => {
    if (socket.readyState === WebSocket.OPEN) act()
  }
  return {
    send: (text) => whenOpen(() => socket.send(text)),
    ping: () => whenOpen(() => socket.ping()),
    close: () => socket.terminate(),
  }
}

function openStream(address: string, headers: Headers, handlers: ConnectionHandlers): Connection {
  const aborter = new AbortController()
  const timer = setTimeout(() => aborter.abort(new Error('no answer')), handshakeMs)
  let refusal: HttpRefusal | undefined
  const run = async (): Promise<string> => {
    try {
      const response = await fetch(address, { headers, signal: aborter.signal, redirect: 'error' })
      clearTimeout(timer)
      if (!response.ok) refusal = refusalOf(response)
      if (!response.ok || response.body === null) return `answered ${response.status}`
      handlers.opened()
      await readLines(response.body, handlers)
      return 'ended'
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      clearTimeout(timer)
    }
  }
  void run().then((why) => handlers.closed(why, refusal))
  return { send: () => undefined, ping: () => undefined, close: () => aborter.abort(new Error('closed')) }
}

async function readLines(body: ReadableStream<Uint8Array>, handlers: ConnectionHandlers): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > messageMaxBytes) throw new Error('a line without an end')
    for (const line of lines) if (line.trim() !== '') handlers.message(line)
  }
}

async function fetchText(address: string, headers: Headers): Promise<string> {
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(callMs), redirect: 'error' })
  if (!response.ok) throw new HttpError(refusalOf(response))
  return response.text()
}

const refusalOf = ({ status, headers }: Response): HttpRefusal => ({
  status,
  retryAfter: headers.get('retry-after'),
})
