import type { Socket } from 'socket.io'
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

/** Unsent bytes at which a socket is given up: above the largest answer, far below what hurts the venue. */
export const bufferedMaxBytes = 4 * 1024 * 1024
/** A socket told to go has this long to take its last words. */
const gracePeriodMs = 2000

/** One connected socket as the venue sees it: who it is, and how to write to it or be rid of it. */
export type SocketClient = {
  readonly id: string
  readonly member: Principal | null
  /** Writes an event that was encoded for many. A socket that cannot keep up is cut instead. */
  write(event: EncodedFrame): void
  /** An event for this socket alone. */
  send<E extends keyof VenueEvents>(event: E, ...payload: Parameters<VenueEvents[E]>): void
  /** Lets what was said get through, then closes. */
  disconnect(): void
  /** Closes at once and forgets what was unsent. */
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
  /** Whether the socket may have more; one that holds too much unsent is cut here. */
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
    write: (event) => {
      if (!canSend()) return
      // With nothing queued before it a frame may go straight out: the order stays, and three events a write are saved.
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

/** What waits in engine.io's queue and in the connection's own buffer. */
export function unsentBytes(connection: Connection): number {
  let bytes = connection.request.socket.writableLength
  for (const packet of connection['writeBuffer'])
    bytes += typeof packet.data === 'string' ? packet.data.length : 0
  return bytes
}

type Frame = readonly [Buffer]
type FrameSender = { sendFrame(frame: Frame, done?: (error?: Error) => void): void }

/** The way a finished frame takes in engine.io's own WebSocket transport; null where a transport has none. */
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
