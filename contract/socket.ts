import * as z from 'zod/mini'
import { duration, ticker, head, productStatuses } from './products.ts'
import { hash, instant, productId } from './schema.ts'
import { venueStatus } from './venueConfig.ts'

export const socketPath = '/socket.io'

export const hello = z.object({ now: instant, build: z.string(), heartbeatMs: z.int() })
export type Hello = z.infer<typeof hello>

export const clockReply = z.object({ t0: z.number(), t1: instant, t2: instant })
export type ClockReply = z.infer<typeof clockReply>

/** Any short text may be requested: the reply lists those that are not products as unknown. */
const requestedProduct = z.string().check(z.maxLength(64))

export const subscribeRequest = z.strictObject({
  products: z.array(requestedProduct).check(z.minLength(1), z.maxLength(5000)),
  mode: z.optional(z.enum(['all', 'latest'])),
})
export type SubscribeMode = 'all' | 'latest'
export const unsubscribeRequest = z.strictObject({
  products: z.array(requestedProduct).check(z.maxLength(5000)),
})

export const subscribeReply = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    index: z.record(z.string(), z.int()),
    quotes: z.array(ticker),
    heads: z.record(z.string(), head),
  }),
  z.object({ ok: z.literal(false), code: z.string(), products: z.optional(z.array(z.string())) }),
])
export type SubscribeReply = z.infer<typeof subscribeReply>

/** Mode `all`: whole tickers. Mode `latest`: what changed, after one whole ticker; every two seconds. */
export const tickerEvent = z.object({
  at: instant,
  f: z.array(z.object({ ...z.partial(ticker).shape, id: productId })),
})
export type TickerEvent = z.infer<typeof tickerEvent>

export const feedStatuses = ['live', 'stale', 'down'] as const
export type FeedStatus = (typeof feedStatuses)[number]
/** Why the witness of a product refuses new orders. */
export const witnessRejections = ['deviates', 'silent'] as const
export type WitnessRejection = (typeof witnessRejections)[number]
const productFeed = z.object({
  status: z.enum(feedStatuses),
  /** The watermark and the chain's head; only in mode `all`. */
  watermark: z.optional(instant),
  seq: z.optional(z.int()),
  hash: z.optional(hash),
  /** Present while the product's witness rejects new orders: its prices deviate, or it sends none. */
  witness: z.optional(z.enum(witnessRejections)),
})
/** In mode `latest` a product that is not listed is live. */
export const feedEvent = z.object({ at: instant, p: z.record(z.string(), productFeed) })
export type FeedEvent = z.infer<typeof feedEvent>

export const productEvent = z.object({
  id: productId,
  status: z.enum(productStatuses),
  opensAt: z.nullable(instant),
  closesAt: z.nullable(instant),
  durations: z.optional(z.array(duration)),
})
export type ProductEvent = z.infer<typeof productEvent>

export const sessionEvent = z.object({ reason: z.enum(['logout', 'revoked', 'expired']) })
export type SessionEvent = z.infer<typeof sessionEvent>
export const noticeEvent = z.object({
  siteStatus: venueStatus.shape.status,
  until: venueStatus.shape.opensAt,
})
export type Notice = z.infer<typeof noticeEvent>

/** The events that carry a member's resources; payloads are the REST resources, the newer `version` wins. */
export const memberEvents = [
  'order',
  'alert',
  'assets',
  'ledger',
  'fund',
  'deposit',
  'withdrawal',
  'verification',
  'message',
  'service',
] as const
export type MemberEvent = (typeof memberEvents)[number]
