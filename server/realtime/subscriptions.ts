import * as z from 'zod/mini'
import { subscribeRequest, unsubscribeRequest } from '../../contract/socket.ts'
import type { ClockReply, SubscribeReply, SubscribeRequest } from '../../contract/socket.ts'
import type { Clock, Market } from '../ports.ts'
import type { Audiences } from './audiences.ts'
import type { RefusedReply } from './events.ts'
import type { VenueSocket, Viewer } from './viewer.ts'

export type SubscriptionParts = {
  clock: Clock
  market: Market
  audiences: Audiences
  socket: VenueSocket
  viewer: Viewer
}
type Ack = (reply: ClockReply | SubscribeReply | RefusedReply | { ok: true }) => void

const invalid: RefusedReply = { ok: false, code: 'VALIDATION' }
const isAck = (value: unknown): value is Ack => typeof value === 'function'

/** The three calls of a socket. One without an acknowledgement cannot be answered and is ignored. */
export function answerSubscriptions(parts: SubscriptionParts): void {
  const { clock, audiences, socket, viewer } = parts
  socket.on('clock', (t0, ack) => {
    const t1 = clock.now()
    if (isAck(ack)) ack(typeof t0 === 'number' ? { t0, t1, t2: clock.now() } : invalid)
  })
  socket.on('subscribe', (request, ack) => {
    if (!isAck(ack)) return
    const read = z.safeParse(subscribeRequest, request)
    ack(read.success ? subscribe(parts, read.data) : invalid)
  })
  socket.on('unsubscribe', (request, ack) => {
    const read = z.safeParse(unsubscribeRequest, request)
    if (read.success) audiences.unwatch(viewer, read.data.products)
    if (isAck(ack)) ack(read.success ? { ok: true } : invalid)
  })
}

/**
 * Begins to watch, all or nothing. The heads are read and the watching begins in one step, with no flush in between:
 * so the first frame goes on exactly one after each head, and the acknowledgement is written before it.
 */
function subscribe(parts: SubscriptionParts, request: SubscribeRequest): SubscribeReply {
  const { market, audiences, viewer } = parts
  const ids = [...new Set(request.products)]
  const unknown = ids.filter((id) => market.settings(id) === undefined)
  if (unknown.length > 0) return { ok: false, code: 'NOT_FOUND', products: unknown }
  const mode = request.mode ?? 'all'
  const reply: SubscribeReply = {
    ok: true,
    index: Object.fromEntries(ids.map((id) => [id, market.index(id)])),
    quotes: ids.map((id) => market.figures(id)),
    heads: Object.fromEntries(ids.map((id) => [id, market.head(id)])),
  }
  audiences.watch(
    viewer,
    ids.map((id) => ({ id, ix: market.index(id), mode })),
  )
  return reply
}
