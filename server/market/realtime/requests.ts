import type { Event } from 'socket.io'
import * as z from 'zod/mini'
import { epochMs } from '../../../contract/units.ts'
import { subscribeRequest, unsubscribeRequest, type SubscribeReply } from '../../../contract/socket.ts'
import type { Clock } from '../../platform/ports.ts'
import type { Market } from '../ports.ts'
import { TokenBucket } from '../../platform/tokenBucket.ts'
import type { SubscriptionGroups } from './subscriptionGroups.ts'
import type { Broadcast } from './broadcast.ts'
import type { ErrorReply, Reply } from './events.ts'
import type { VenueSocket, SocketClient } from './socketClient.ts'

export type RequestParts = {
  clock: Clock
  market: Market
  groups: SubscriptionGroups
  broadcast: Pick<Broadcast, 'sendUnsent'>
}
type Ack = (reply: Reply) => void

const eventRate = { calls: 20, perMs: 1000, burst: 40 } as const
const invalidReply: ErrorReply = { ok: false, code: 'VALIDATION' }
const limitedReply: ErrorReply = { ok: false, code: 'RATE_LIMITED' }
const isAck = (value: unknown): value is Ack => typeof value === 'function'

/**
 * Answers the three requests of a socket; one without an acknowledgement cannot be answered. Allows 20 events per second
 * of any name: those above it are answered with `RATE_LIMITED` and otherwise ignored; a socket that keeps sending is
 * terminated by the limit on frames (`inboundLimit.ts`).
 *
 * One function for every event: a listener for each would be a third of a kB more for each socket.
 */
export function handleRequests(parts: RequestParts, socket: VenueSocket, client: SocketClient): void {
  const { clock } = parts
  const bucket = new TokenBucket(eventRate, clock.now())
  socket.use((event) => {
    // A packet may have been waiting when the socket was disconnected.
    if (!socket.connected) return
    const ack: unknown = event.at(-1)
    if (bucket.take(clock.now()) === 0) answer(parts, client, event)
    else if (isAck(ack)) ack(limitedReply)
  })
}

function answer(parts: RequestParts, client: SocketClient, [name, payload, ack]: Event): void {
  if (name === 'unsubscribe') {
    const reply = unsubscribe(parts, client, payload)
    if (isAck(ack)) ack(reply)
  } else if (name === 'clock' && isAck(ack)) ack(readClock(parts.clock, payload))
  else if (name === 'subscribe' && isAck(ack)) ack(subscribe(parts, client, payload))
}

function readClock(clock: Clock, t0: unknown): Reply {
  const t1 = epochMs(clock.now())
  return typeof t0 === 'number' ? { t0, t1, t2: epochMs(clock.now()) } : invalidReply
}

function unsubscribe({ broadcast, groups }: RequestParts, client: SocketClient, payload: unknown): Reply {
  const parsed = z.safeParse(unsubscribeRequest, payload)
  if (!parsed.success) return invalidReply
  broadcast.sendUnsent(client)
  groups.unsubscribe(client, parsed.data.products)
  return { ok: true }
}

/**
 * Subscribes to all products of the request or to none. The heads are read and the subscription starts in one step, with
 * no flush in between, so the first frame starts right after each head, and the acknowledgement is written before it.
 */
function subscribe(
  { market, groups, broadcast }: RequestParts,
  client: SocketClient,
  payload: unknown,
): SubscribeReply | ErrorReply {
  const parsed = z.safeParse(subscribeRequest, payload)
  if (!parsed.success) return invalidReply
  const request = parsed.data
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
