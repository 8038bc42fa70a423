import type {
  ClockReply,
  Hello,
  MemberEvent,
  Notice,
  ProductEvent,
  SessionEvent,
  SubscribeReply,
} from '../../contract/socket.ts'

/** What the venue says to one socket; `ticks`, `figures` and `feed` are encoded once for many and written past these. */
export type VenueEvents = {
  hello: (hello: Hello) => void
  product: (product: ProductEvent) => void
  session: (session: SessionEvent) => void
  notice: (notice: Notice) => void
} & Record<MemberEvent, (resource: unknown) => void>

/** What a socket may say. Nothing of it is believed before its schema has read it. */
export type ClientEvents = {
  clock: (t0: unknown, ack: unknown) => void
  subscribe: (request: unknown, ack: unknown) => void
  unsubscribe: (request: unknown, ack: unknown) => void
}

export type ErrorReply = { ok: false; code: string }
export type Reply = ClockReply | SubscribeReply | { ok: true } | ErrorReply
