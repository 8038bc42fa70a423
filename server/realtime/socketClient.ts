import type { Socket } from 'socket.io'
import { tickEncodingOf } from '../../contract/tickFrame.ts'
import type { TickEncoding } from '../../contract/tickFrame.ts'
import type { ClientEvents, VenueEvents } from './events.ts'
import type { EncodedFrame } from './encodedFrame.ts'
import type { Principal } from '../ports.ts'

export type VenueSocket = Socket<
  ClientEvents,
  VenueEvents,
  Record<string, never>,
  { member: Principal | null }
>

/** The transport below a socket. */
export type Connection = VenueSocket['conn']

/** Unsent bytes at which a socket is terminated: above the largest answer, far below what would hurt the server. */
export const bufferedMaxBytes = 4 * 1024 * 1024
/** Time that a disconnected socket has to receive its last messages. */
const gracePeriodMs = 2000

/** One connected socket: its member, and how to write to it and close it. */
export type SocketClient = {
  readonly id: string
  readonly member: Principal | null
  readonly tickEncoding: TickEncoding
  /** Writes an event that was encoded for many sockets. A socket that cannot keep up is terminated instead. */
  write(event: EncodedFrame): void
  /** Sends an event to this socket only. */
  send<E extends keyof VenueEvents>(event: E, ...payload: Parameters<VenueEvents[E]>): void
  /** Closes once the messages already sent are delivered, at the latest after a grace period. */
  disconnect(): void
  /** Closes at once and discards unsent messages. */
  terminate(): void
}

export function createSocketClient(
  socket: VenueSocket,
  maxBytes: number,
  onOverflow: () => void,
): SocketClient {
  const { conn } = socket
  let isTerminated = false
  const terminate = (): void => {
    if (isTerminated) return
    isTerminated = true
    conn.request.socket.destroy()
  }
  /** Whether the socket can take more; terminates it if too much is unsent. */
  const canSend = (): boolean => {
    if (isTerminated || conn.readyState !== 'open') return false
    if (unsentBytes(conn) <= maxBytes) return true
    onOverflow()
    terminate()
    return false
  }
  const sendFrame = findFrameSender(socket)
  return {
    id: socket.id,
    member: socket.data.member,
    tickEncoding: tickEncodingOf(socket.handshake.query),
    write: (event) => {
      if (!canSend()) return
      // If nothing is queued, the frame is sent directly: the order is the same, and it saves three events per write.
      if (sendFrame && conn.transport.writable && conn['writeBuffer'].length === 0) {
        sendFrame(event.options.wsPreEncodedFrame)
      } else conn.write(event.data, event.options)
    },
    send: (event, ...payload) => {
      if (canSend()) socket.emit(event, ...payload)
    },
    disconnect: () => {
      socket.disconnect(true)
      setTimeout(terminate, gracePeriodMs).unref()
    },
    terminate,
  }
}

/** Bytes in engine.io's queue and in the TCP buffer. */
export function unsentBytes(connection: Connection): number {
  let bytes = connection.request.socket.writableLength
  for (const packet of connection['writeBuffer'])
    bytes += typeof packet.data === 'string' ? packet.data.length : 0
  return bytes
}

type Frame = readonly [Buffer]
type FrameSender = { sendFrame(frame: Frame, done?: (error?: Error) => void): void }

/** The function that sends a finished frame in engine.io's WebSocket transport; null if the transport has none. */
function findFrameSender({ conn }: VenueSocket): ((frame: Frame) => void) | null {
  const webSocket: unknown = Reflect.get(conn.transport, 'socket')
  if (typeof webSocket !== 'object' || webSocket === null) return null
  const sender: unknown = Reflect.get(webSocket, '_sender')
  if (!isFrameSender(sender)) return null
  return (frame) => sender.sendFrame(frame)
}

function isFrameSender(value: unknown): value is FrameSender {
  return (
    typeof value === 'object' &&
    value !== null &&
    'sendFrame' in value &&
    typeof value.sendFrame === 'function'
  )
}
