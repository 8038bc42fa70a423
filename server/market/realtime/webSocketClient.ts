import type { Socket as TcpSocket } from 'node:net'
import { tickEncodingOf, type TickEncoding } from '../../../contract/tickFrame.ts'
import type { Principal } from '../../platform/ports.ts'
import { encodeFrame, type EncodedFrame } from './encodedFrame.ts'
import type { VenueEvents } from './events.ts'
import { gracePeriodMs, type Connection, type SocketClient, type VenueSocket } from './socketClient.ts'

/**
 * A socket over WebSocket. Frames for many sockets bypass Socket.IO and Engine.IO: at a thousand sockets, what a write
 * reads beside the TCP socket costs more than what it computes, so this object has all of it.
 */
export class WebSocketClient implements SocketClient {
  readonly id: string
  readonly member: Principal | null
  readonly tickEncoding: TickEncoding
  readonly #socket: VenueSocket
  readonly #tcp: TcpSocket
  readonly #maxBytes: number
  readonly #onOverflow: () => void
  #isOpen = true
  /** Whether Engine.IO may have packets that it has not written yet; later frames must not overtake them. */
  #isQueued = false
  /** Whether the frames of this turn of the event loop are held back to be written together. */
  #isCorked = false

  /**
   * @param maxBytes unsent bytes at which the socket is terminated
   * @param onOverflow called when that happens
   */
  constructor(socket: VenueSocket, maxBytes: number, onOverflow: () => void) {
    const { conn } = socket
    this.id = socket.id
    this.member = socket.data.member
    this.tickEncoding = tickEncodingOf(socket.handshake.query)
    this.#socket = socket
    this.#tcp = conn.request.socket
    this.#maxBytes = maxBytes
    this.#onOverflow = onOverflow
    this.#isQueued = conn['writeBuffer'].length > 0
    conn.on('packetCreate', () => (this.#isQueued = true))
  }

  close(): void {
    this.#isOpen = false
  }

  /** What is unsent is counted only after a write that returns false: the others leave less than Node's own limit. */
  write(event: EncodedFrame): void {
    if (!this.#isOpen) return
    if (this.#isQueued) this.#writeQueued(event)
    // The venue compresses nothing, so `ws` holds nothing back that this could overtake.
    else if (!this.#tcp.write(event.frame) && this.#tcp.writableLength > this.#maxBytes) this.#overflow()
  }

  send<E extends keyof VenueEvents>(event: E, ...[payload]: Parameters<VenueEvents[E]>): void {
    if (!this.#isCorked) {
      this.#isCorked = true
      this.#tcp.cork()
      process.nextTick(() => {
        this.#isCorked = false
        this.#tcp.uncork()
      })
    }
    this.write(encodeFrame(event, JSON.stringify(payload)))
  }

  disconnect(): void {
    this.#socket.disconnect(true)
    this.#isOpen = false
    setTimeout(() => this.terminate(), gracePeriodMs).unref()
  }

  closeTransport(): void {
    this.#socket.conn.close()
  }

  terminate(): void {
    this.#isOpen = false
    this.#tcp.destroy()
  }

  /** Writes an event behind the packets that Engine.IO holds, if it still holds any. */
  #writeQueued(event: EncodedFrame): void {
    const { conn } = this.#socket
    this.#isQueued = conn['writeBuffer'].length > 0
    if (!this.#isQueued) return this.write(event)
    conn.write(event.data, event.options)
    if (unsentBytes(conn, this.#tcp) > this.#maxBytes) this.#overflow()
  }

  #overflow(): void {
    this.#onOverflow()
    this.terminate()
  }
}

/** Bytes in engine.io's queue and in the TCP buffer. */
export function unsentBytes(connection: Connection, tcp: TcpSocket): number {
  let bytes = tcp.writableLength
  for (const packet of connection['writeBuffer'])
    bytes += typeof packet.data === 'string' ? packet.data.length : 0
  return bytes
}
