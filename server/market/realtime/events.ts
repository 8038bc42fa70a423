import type {
  ClockReply,
  Hello,
  MemberEvent,
  Notice,
  ProductEvent,
  SessionEvent,
  SubscribeReply,
} from '../../../contract/socket.ts'

/** Events to one socket. `ticks`, `figures` and `feed` are not here: they are encoded once for many sockets. */
export type VenueEvents = {
  hello: (hello: Hello) => void
  product: (product: ProductEvent) => void
  session: (session: SessionEvent) => void
  notice: (notice: Notice) => void
} & Record<MemberEvent, (resource: unknown) => void>

/** Events from a socket. Their payloads are not trusted until validated against a schema. */
export type ClientEvents = {
  clock: (t0: unknown, ack: unknown) => void
  subscribe: (request: unknown, ack: unknown) => void
  unsubscribe: (request: unknown, ack: unknown) => void
}

export type ErrorReply = { ok: false; code: string }
export type Reply = ClockReply | SubscribeReply | { ok: true } | ErrorReply
