import * as z from 'zod/mini'
import { epochMs } from '../../contract/brand.ts'
import { subscribeRequest, unsubscribeRequest } from '../../contract/socket.ts'
import type { ClockReply, SubscribeReply, SubscribeRequest } from '../../contract/socket.ts'
import type { Clock, Market } from '../ports.ts'
import type { SubscriptionGroups } from './subscriptionGroups.ts'
import type { Broadcast } from './broadcast.ts'
import type { ErrorReply } from './events.ts'
import type { VenueSocket, SocketClient } from './socketClient.ts'

export type SubscriptionParts = {
  clock: Clock
  market: Market
  groups: SubscriptionGroups
  broadcast: Pick<Broadcast, 'sendUnsent'>
  socket: VenueSocket
  client: SocketClient
}
type Ack = (reply: ClockReply | SubscribeReply | ErrorReply | { ok: true }) => void

const invalidReply: ErrorReply = { ok: false, code: 'VALIDATION' }
const isAck = (value: unknown): value is Ack => typeof value === 'function'

/** Handles the three requests of a socket. A request without an acknowledgement cannot be answered and is ignored. */
export function handleSubscriptions(parts: SubscriptionParts): void {
  const { clock, groups, broadcast, socket, client } = parts
  socket.on('clock', (t0, ack) => {
    const t1 = epochMs(clock.now())
    if (isAck(ack)) ack(typeof t0 === 'number' ? { t0, t1, t2: epochMs(clock.now()) } : invalidReply)
  })
  socket.on('subscribe', (request, ack) => {
    if (!isAck(ack)) return
    const parsed = z.safeParse(subscribeRequest, request)
    ack(parsed.success ? subscribe(parts, parsed.data) : invalidReply)
  })
  socket.on('unsubscribe', (request, ack) => {
    const parsed = z.safeParse(unsubscribeRequest, request)
    if (parsed.success) {
      broadcast.sendUnsent(client)
      groups.unsubscribe(client, parsed.data.products)
    }
    if (isAck(ack)) ack(parsed.success ? { ok: true } : invalidReply)
  })
}

/**
 * Subscribes to all products of the request or to none. The heads are read and the subscription starts in one step, with
 * no flush in between, so the first frame starts right after each head, and the acknowledgement is written before it.
 */
function subscribe(parts: SubscriptionParts, request: SubscribeRequest): SubscribeReply {
  const { market, groups, broadcast, client } = parts
  const ids = [...new Set(request.products)]
  const unknown = ids.filter((id) => market.settings(id) === undefined)
  if (unknown.length > 0) return { ok: false, code: 'NOT_FOUND', products: unknown }
  const mode = request.mode ?? 'all'
  broadcast.sendUnsent(client)
  const reply: SubscribeReply = {
    ok: true,
    index: Object.fromEntries(ids.map((id) => [id, market.index(id)])),
    quotes: ids.map((id) => market.ticker(id)),
    heads: Object.fromEntries(ids.map((id) => [id, market.head(id)])),
  }
  groups.subscribe(
    client,
    ids.map((id) => ({ id, ix: market.index(id), mode })),
  )
  return reply
}
