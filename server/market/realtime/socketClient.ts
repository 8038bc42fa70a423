import type { Socket } from 'socket.io'
import type { TickEncoding } from '../../../contract/tickFrame.ts'
import type { ClientEvents, VenueEvents } from './events.ts'
import type { EncodedFrame } from './encodedFrame.ts'
import type { Principal } from '../../platform/ports.ts'

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
export const gracePeriodMs = 2000

/** One connected socket: its member, and how to write to it and close it. */
export type SocketClient = {
  readonly id: string
  readonly member: Principal | null
  readonly tickEncoding: TickEncoding
  /** Writes an encoded event, which other sockets may share. A socket that cannot keep up is terminated. */
  write(event: EncodedFrame): void
  /**
   * Sends an event to this socket only. Events of one turn of the event loop leave together: a settlement has hundreds
   * for one member.
   */
  send<E extends keyof VenueEvents>(event: E, ...payload: Parameters<VenueEvents[E]>): void
  /** Closes once the messages already sent are delivered, at the latest after a grace period. */
  disconnect(): void
  /** Closes the transport alone, after which a client reconnects by itself. */
  closeTransport(): void
  /** Closes at once and discards unsent messages. */
  terminate(): void
  /** The connection has ended: nothing is written any more. */
  close(): void
}

export const isPolling = ({ transport }: Connection): boolean => transport.name === 'polling'

/** Ends a connection in its handshake at once. The TCP connection of a poll is a proxy's, perhaps, and carries the requests of others. */
export function endHandshake(connection: Connection): void {
  if (isPolling(connection)) connection.close(true)
  else connection.request.socket.destroy()
}
