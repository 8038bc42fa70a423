import { Subject } from 'rxjs'
import { io } from 'socket.io-client'
import type { ManagerOptions } from 'socket.io-client'
import { socketPath } from '../contract/socket.ts'
import type { Wire, WireEvent } from './types.ts'

/** An ack that takes longer is lost: the venue answers at once, so the line is what is slow. */
const ackTimeoutMs = 5000
const connectTimeoutMs = 8000
const retryMinMs = 500
const retryMaxMs = 5000

export type WireOptions = {
  /** Origin of the venue; left out: where the page came from. */
  url?: string
  /** WebSocket only, unless a test brings its own transport. */
  transports?: ManagerOptions['transports']
  /** For clients outside a browser, which keep no cookies. */
  headers?: Record<string, string>
}

/**
 * The socket.io connection as the streams see it. It opens at `connect()`, then reconnects by itself with growing,
 * scattered pauses. Calls fail with an Error when the wire is down or the ack is late; nothing is queued for later,
 * because a subscription of yesterday's connection is worth nothing on today's.
 */
export function createWire(options: WireOptions = {}): Wire {
  const events = new Subject<WireEvent>()
  const socket = io(options.url ?? '', {
    path: socketPath,
    transports: options.transports ?? ['websocket'],
    autoConnect: false,
    withCredentials: true,
    timeout: connectTimeoutMs,
    reconnectionDelay: retryMinMs,
    reconnectionDelayMax: retryMaxMs,
    ...(options.headers ? { extraHeaders: options.headers } : {}),
  })
  socket.on('connect', () => events.next({ kind: 'up' }))
  socket.on('disconnect', (reason) => events.next({ kind: 'down', reason, willRetry: socket.active }))
  socket.on('connect_error', (error) => {
    // Only a refusal by the venue's own middleware ends the tries; a dead line is tried again.
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
    connect: () => void socket.connect(),
    disconnect: () => void socket.disconnect(),
  }
}
