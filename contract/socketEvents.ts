import * as z from 'zod/mini'
import { message, serviceMessage } from './content.ts'
import { ticksPerFrameMax } from './constants.ts'
import { deposit } from './deposits.ts'
import { fund } from './fund.ts'
import { assets, ledgerEntry } from './ledger.ts'
import { order } from './orders.ts'
import { priceAlert } from './priceAlerts.ts'
import {
  clockReply,
  feedEvent,
  hello,
  noticeEvent,
  productEvent,
  sessionEvent,
  subscribeReply,
  subscribeRequest,
  tickerEvent,
  unsubscribeRequest,
  type MemberEvent,
} from './socket.ts'
import { verification } from './verification.ts'
import { withdrawal } from './withdrawals.ts'

/** One event of the socket: its only argument, and for a client's event what the venue acknowledges it with. */
export type SocketEvent = { summary: string; payload: z.ZodMiniType }
export type SocketRequest = SocketEvent & { reply: z.ZodMiniType }

/** The acknowledgement of a request that failed; `VALIDATION` or `RATE_LIMITED`. */
const refused = z.object({ ok: z.literal(false), code: z.enum(['VALIDATION', 'RATE_LIMITED']) })

/** What a client sends, each with an acknowledgement. */
export const clientEvents = {
  clock: {
    summary: "The venue's clock; the payload is t0 of the client's own clock",
    payload: z.number(),
    reply: z.union([clockReply, refused]),
  },
  subscribe: {
    summary:
      'Subscribe to products, to all of them or to none; for a product already subscribed the newer mode counts',
    payload: subscribeRequest,
    reply: subscribeReply,
  },
  unsubscribe: {
    summary: 'Stop receiving products',
    payload: unsubscribeRequest,
    reply: z.union([z.object({ ok: z.literal(true) }), refused]),
  },
} as const satisfies Record<string, SocketRequest>

const tickFrame = z.array(z.int()).check(z.minLength(7), z.maxLength(1 + ticksPerFrameMax * 6))

/** What the venue sends to every socket. */
export const venueEvents = {
  hello: { summary: 'After each connect', payload: hello },
  ticks: {
    summary:
      'To sockets opened without `?ticks=delta`: flat integers, `[at, (ix, seq0, n, (dAt, price, size) × n) …]`: a block for each product by its number from `subscribe`',
    payload: tickFrame,
  },
  delta: {
    summary:
      'To sockets opened with `?ticks=delta`: as `ticks`, but instant and price of a tick are differences to the tick before it in its block; of the first, to the `at` of the frame and to 0',
    payload: tickFrame,
  },
  figures: {
    summary:
      'The figures that changed: in mode `all` whole, in mode `latest` the changed fields after one that is whole',
    payload: tickerEvent,
  },
  feed: {
    summary:
      'Each second the state of the feeds, after the ticks up to it; without it for 3 s all prices are stale',
    payload: feedEvent,
  },
  product: { summary: 'Trading hours or status of a product changed', payload: productEvent },
  notice: { summary: 'Maintenance of the whole venue begins or ends', payload: noticeEvent },
  session: { summary: 'The session ended; the connection closes next', payload: sessionEvent },
} as const satisfies Record<string, SocketEvent>

/** What the venue sends to the sockets of one member: resources as REST returns them; a higher `version` is newer. */
export const memberResources = {
  order: { summary: 'An order was placed or changed', payload: order },
  alert: { summary: 'A price alert was created, reached or removed', payload: priceAlert },
  assets: { summary: 'The balances changed', payload: assets },
  ledger: { summary: 'A movement of money', payload: ledgerEntry },
  fund: { summary: 'The balance fund changed', payload: fund },
  deposit: { summary: 'A deposit was made or decided', payload: deposit },
  withdrawal: { summary: 'A withdrawal was made or decided', payload: withdrawal },
  verification: { summary: 'The real-name verification was submitted or decided', payload: verification },
  message: { summary: 'A system message arrived or was read', payload: message },
  service: { summary: 'A message to or from customer service', payload: serviceMessage },
} as const satisfies Record<MemberEvent, SocketEvent>
