import { Subject } from 'rxjs'
// oxlint-disable-next-line uptick/boundaries -- the wire is opened here
import { io, type ManagerOptions } from 'socket.io-client'
import { socketPath } from '../../contract/socket.ts'
import type { TickEncoding } from '../../contract/tickFrame.ts'
import type { Wire, WireEvent } from '../parts.ts'
import { fallBackToPolling, pollTimeoutMs, type FindPolling } from './pollingFallback.ts'

/** An ack that takes longer is lost: the venue answers at once, so the line must be slow. */
const ackTimeoutMs = 5000
const connectTimeoutMs = 8000
const retryMinMs = 500
const retryMaxMs = 5000

export type WireOptions = {
  /** Origin of the venue; default: the page's origin. */
  url?: string
  /** WebSocket only, unless a test brings its own transport. */
  transports?: ManagerOptions['transports']
  /** Asked where no WebSocket opens; without it there is no long polling. */
  findPolling?: FindPolling
  /** For clients outside a browser, which store no cookies. */
  headers?: Record<string, string>
}

/**
 * The wire over socket.io. It opens at `connect()`, then reconnects by itself with growing, randomised delays. Calls
 * fail with an Error when the wire is down or the ack is late; nothing is queued, because a subscription of an old
 * connection is useless on a new one.
 */
export function createWire(options: WireOptions = {}): Wire {
  const events = new Subject<WireEvent>()
  const socket = io(options.url ?? '', {
    path: socketPath,
    query: { ticks: 'delta' satisfies TickEncoding },
    transports: options.transports ?? ['websocket'],
    autoConnect: false,
    withCredentials: true,
    timeout: connectTimeoutMs,
    requestTimeout: pollTimeoutMs,
    reconnectionDelay: retryMinMs,
    reconnectionDelayMax: retryMaxMs,
    ...(options.headers ? { extraHeaders: options.headers } : {}),
  })
  const fallback = options.findPolling && fallBackToPolling(socket, options.findPolling)
  socket.on('connect', () => events.next({ kind: 'up' }))
  socket.on('disconnect', (reason) => events.next({ kind: 'down', reason, willRetry: socket.active }))
  socket.on('connect_error', (error) => {
    // Only a rejection by the venue's own middleware ends the attempts; after a lost connection socket.io retries.
    if (!socket.active) events.next({ kind: 'down', reason: `rejected: ${error.message}`, willRetry: false })
  })
  socket.io.on('reconnect_attempt', (count) => events.next({ kind: 'attempt', count }))
  socket.onAny((name: string, data: unknown) => events.next({ kind: 'event', name, data }))

  const call = async (name: string, payload: unknown): Promise<unknown> => {
    if (!socket.connected) throw new Error('the wire is down')
    const answer: unknown = await socket.timeout(ackTimeoutMs).emitWithAck(name, payload)
    return answer
  }
  return {
    event$: events.asObservable(),
    subscribe: (products, mode) => call('subscribe', { products, mode }),
    unsubscribe: (products) => call('unsubscribe', { products }),
    clock: (t0) => call('clock', t0),
    connect: () => {
      fallback?.watch()
      socket.connect()
    },
    disconnect: () => {
      fallback?.stop()
      socket.disconnect()
    },
  }
}
