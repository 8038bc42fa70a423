import * as z from 'zod/mini'
import { duration, ticker, head, productStatuses } from './products.ts'
import { hash, instant, productId } from './schema.ts'
import { venueStatus } from './venueConfig.ts'
import { ticksPerFrameMax } from './constants.ts'

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
export type SubscribeRequest = z.infer<typeof subscribeRequest>
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
  /** Present while the product's witness rejects new orders: its prices deviate, or it is silent. */
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

/** A run of one product's ticks: `values` is a flat list of (at, price, size), prices and sizes in units. */
export type TickBlock = { ix: number; seq0: number; values: number[] }
export type TickFrame = { at: number; blocks: TickBlock[] }
/** A frame to encode. Blocks may be shared with other frames, so they are read-only. */
export type OutgoingTicks = {
  at: number
  blocks: readonly { ix: number; seq0: number; values: readonly number[] }[]
}

/** The flat integers of a `ticks` event: `[at, (ix, seq0, n, (dAt, price, size) × n) …]`. */
export function encodeTicks(frame: OutgoingTicks): number[] {
  const flat: number[] = [frame.at]
  for (const block of frame.blocks) {
    flat.push(block.ix, block.seq0, block.values.length / 3)
    for (let i = 0; i < block.values.length; i += 3) {
      flat.push(value(block.values, i) - frame.at, value(block.values, i + 1), value(block.values, i + 2))
    }
  }
  return flat
}

/**
 * Reads a `ticks` event; undefined if it is not one (the caller counts and drops it). Each number is visited once: this
 * runs for every tick that a client receives.
 */
export function decodeTicks(data: unknown): TickFrame | undefined {
  if (!Array.isArray(data) || data.length > 1 + ticksPerFrameMax * 6) return undefined
  const flat = data as number[]
  const at = value(flat, 0)
  if (!Number.isSafeInteger(at)) return undefined
  const blocks: TickBlock[] = []
  let i = 1
  while (i < flat.length) {
    const ix = value(flat, i)
    const seq0 = value(flat, i + 1)
    const n = value(flat, i + 2)
    const end = i + 3 + n * 3
    if (!Number.isSafeInteger(ix) || !Number.isSafeInteger(seq0) || !Number.isSafeInteger(n)) return undefined
    if (n < 1 || end > flat.length) return undefined
    const values = flat.slice(i + 3, end)
    if (!toAbsoluteTimes(values, at)) return undefined
    blocks.push({ ix, seq0, values })
    i = end
  }
  return { at, blocks }
}

/** Turns each `dAt` into an `at`; false if a number is not an integer or out of range for a tick. */
function toAbsoluteTimes(values: number[], at: number): boolean {
  for (let k = 0; k < values.length; k += 3) {
    const dAt = value(values, k)
    const price = value(values, k + 1)
    const size = value(values, k + 2)
    const inRange = dAt <= 0 && price > 0 && size >= 0
    const whole = Number.isSafeInteger(dAt) && Number.isSafeInteger(price) && Number.isSafeInteger(size)
    if (!inRange || !whole) return false
    values[k] = at + dAt
  }
  return true
}

const value = (flat: readonly number[], i: number): number => flat[i] ?? Number.NaN
