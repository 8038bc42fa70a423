import type { ServerResponse } from 'node:http'
import { tickEncodingOf, type TickEncoding } from '../../../contract/tickFrame.ts'
import type { Principal } from '../../platform/ports.ts'
import { encodeFrame, type EncodedFrame } from './encodedFrame.ts'
import type { VenueEvents } from './events.ts'
import { gracePeriodMs, type Connection, type SocketClient, type VenueSocket } from './socketClient.ts'

/**
 * Prices wait for so long for those that follow: a poll costs the venue and the phone many times what a frame does, and
 * frames come twenty times a second.
 */
const gatherMs = 200

/**
 * A socket over long polling: each answer to a poll has all that was sent since the one before, in order. Prices are
 * gathered; what Socket.IO sends by itself, such as an acknowledgement, leaves at once, behind what is held.
 */
export class PollingClient implements SocketClient {
  readonly id: string
  readonly member: Principal | null
  readonly tickEncoding: TickEncoding
  readonly #socket: VenueSocket
  readonly #conn: Connection
  readonly #maxBytes: number
  readonly #onOverflow: () => void
  #isOpen = true
  /** Packets that Engine.IO does not have yet. */
  #held: string[] = []
  #heldBytes = 0
  /** Bytes that Engine.IO holds until the next poll. */
  #queuedBytes = 0
  /** The newest answer to a poll, which may be on its way. */
  #answer: ServerResponse | null = null
  #gathering: NodeJS.Timeout | undefined
  #isFlushDue = false

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
    this.#conn = conn
    this.#maxBytes = maxBytes
    this.#onOverflow = onOverflow
    // Before Engine.IO queues a packet of its own.
    conn.on('packetCreate', ({ data }: { data?: unknown }) => {
      this.#release()
      this.#queuedBytes += typeof data === 'string' ? data.length : 0
      this.#checkUnsent()
    })
    // Before Engine.IO answers a poll with all that it holds.
    conn.on('flush', () => {
      this.#answer = (conn.transport as unknown as { res: ServerResponse | null }).res
      this.#queuedBytes = 0
    })
  }

  close(): void {
    this.#isOpen = false
    clearTimeout(this.#gathering)
  }

  write({ data }: EncodedFrame): void {
    if (!this.#isOpen) return
    this.#held.push(data)
    this.#heldBytes += data.length
    this.#gathering ??= setTimeout(() => this.#flush(), gatherMs).unref()
    this.#checkUnsent()
  }

  send<E extends keyof VenueEvents>(event: E, ...[payload]: Parameters<VenueEvents[E]>): void {
    this.write(encodeFrame(event, JSON.stringify(payload)))
    if (this.#isFlushDue) return
    this.#isFlushDue = true
    process.nextTick(() => {
      this.#isFlushDue = false
      this.#flush()
    })
  }

  disconnect(): void {
    this.#socket.disconnect(true)
    this.close()
    setTimeout(() => this.terminate(), gracePeriodMs).unref()
  }

  closeTransport(): void {
    this.#flush()
    this.#conn.close()
  }

  terminate(): void {
    this.close()
    this.#conn.close(true)
  }

  #flush(): void {
    this.#release()
    this.#conn['flush']()
  }

  /** Hands to Engine.IO what is held, which it sends with the next packet or at the next poll. */
  #release(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    const writeBuffer = this.#conn['writeBuffer']
    for (const data of this.#held) writeBuffer.push({ type: 'message', data, options: { compress: false } })
    this.#queuedBytes += this.#heldBytes
    this.#held = []
    this.#heldBytes = 0
  }

  #checkUnsent(): void {
    const unsent = this.#heldBytes + this.#queuedBytes + (this.#answer?.writableLength ?? 0)
    if (!this.#isOpen || unsent <= this.#maxBytes) return
    this.#onOverflow()
    this.terminate()
  }
}
