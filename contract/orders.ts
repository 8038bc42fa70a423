import * as z from 'zod/mini'
import { logPathMax, rateBpMax, rules } from './constants.ts'
import { amountPattern } from './money.ts'
import { averagingTerms, gap, head, priceDecimals, restTick, source } from './products.ts'
import { route } from './route.ts'
import {
  amount,
  decimal,
  id,
  instant,
  listOf,
  money,
  pageQuery,
  productId,
  productIdPattern,
  queryInstant,
} from './schema.ts'

export const directions = ['up', 'down'] as const
export type Direction = (typeof directions)[number]
export const orderStatuses = ['accepted', 'open', 'settling', 'won', 'lost', 'tied', 'refunded'] as const
export type OrderStatus = (typeof orderStatuses)[number]
export const finalStatuses = ['won', 'lost', 'tied', 'refunded'] as const satisfies readonly OrderStatus[]
export const refundReasons = ['SOURCE_CHANGED', 'FEED_DOWN', 'NO_ENTRY', 'ONE_TICK', 'STALE_EXIT'] as const

export const isFinal = (status: OrderStatus): boolean =>
  (finalStatuses as readonly OrderStatus[]).includes(status)

const commonTerms = {
  priceDecimals,
  rateBp: z.int().check(z.gte(0), z.lte(rateBpMax)),
  entryTimeoutMs: z.int().check(z.nonnegative()),
  maxTickGapMs: z.int().check(z.nonnegative()),
  /** Fingerprint of the product's source when the order was accepted. */
  source: z.string(),
}
/** The terms of an order by its settlement rule; `settle.ts` says what each means. */
export const terms = z.discriminatedUnion('rule', [
  z.object({ rule: z.literal('R1'), ...commonTerms }),
  z.object({ rule: z.literal('R2'), ...commonTerms, ...averagingTerms }),
])

const fill = z.object({ seq: z.int(), at: instant, price: decimal })
/**
 * The exit of an order with rule R2: the mean of `ticks` prices, rounded half up to one decimal more than theirs.
 * `from` and `to` are the numbers of the first and the last tick that the rule looked at.
 */
const averagedExit = z.object({ value: decimal, ticks: z.int(), from: z.int(), to: z.int() })

/**
 * The newest head of a product's chain when the venue answered: every tick with an instant ≤ `at` is in the chain that
 * ends in `seq` and `hash`. Anyone who stores it can later prove that an earlier tick was changed.
 */
export const orderHead = z.object({ ...head.shape, at: instant })
export type OrderHead = z.infer<typeof orderHead>

/** Without a sign, and short enough that the payout at the highest rate is a safe integer. */
const stake = z.string().check(z.regex(amountPattern), z.maxLength(14))

export const order = z.object({
  id,
  no: z.string(),
  key: z.string(),
  productId,
  direction: z.enum(directions),
  amount: stake,
  seconds: z.int(),
  rateBp: z.int(),
  terms,
  status: z.enum(orderStatuses),
  acceptedAt: instant,
  closeAt: instant,
  entry: z.nullable(fill),
  /** A tick by rule R1, a mean by rule R2. */
  exit: z.nullable(z.union([fill, averagedExit])),
  settledAt: z.nullable(instant),
  payout: z.nullable(money),
  pnl: z.nullable(money),
  reason: z.nullable(z.enum(refundReasons)),
  version: z.int(),
  /** Only in the answer that placed the order and in `order` events, never in a list or GET. */
  head: z.optional(orderHead),
  /**
   * What the venue signed when it accepted the order (`receipt.ts`), and the salt of its account tag: in the answer that placed
   * the order, and of an order that is asked for by id or key. An order from before there was a log has none.
   */
  receipt: z.optional(z.string()),
  receiptSalt: z.optional(z.string()),
})
export type Order = z.infer<typeof order>

/** An order request. `rateBp` is the rate the member saw; after `validUntil` the order must not fill. */
export const placeRequest = z.strictObject({
  productId: z.string({ error: 'REQUIRED' }).check(z.regex(productIdPattern, { error: 'INVALID' })),
  direction: z.enum(directions),
  amount,
  seconds: z.int().check(z.positive()),
  rateBp: z.int().check(z.nonnegative()),
  validUntil: instant,
})
export type PlaceRequest = z.infer<typeof placeRequest>

/**
 * The public log has the head that an order's ticks lead to: the text of a leaf, its number, the inclusion proof of RFC
 * 6962 (base64), and the signed checkpoint of the tree that it is for.
 */
export const logProof = z.object({
  leaf: z.string(),
  index: z.int(),
  path: z.array(z.string()).check(z.maxLength(logPathMax)),
  checkpoint: z.string(),
})
export type LogProof = z.infer<typeof logProof>

export const proof = z.object({
  order,
  rule: z.enum(rules),
  ticks: z.array(restTick),
  before: z.nullable(head),
  after: z.nullable(head),
  gaps: z.array(gap),
  /** Fingerprint of the source that the order was placed on, and every source that set prices while it was open. */
  source: z.string(),
  sources: z.array(source),
  watermarkAt: instant,
  final: z.boolean(),
  more: z.boolean(),
  /** Null until the log has a leaf for the order. */
  log: z.nullable(logProof),
  /** The receipt of the order: null if there was no log yet that signs it, and to the staff. */
  receipt: z.nullable(z.string()),
})
export type Proof = z.infer<typeof proof>

const orderFilters = {
  tab: z.optional(z.enum(['records', 'positions', 'closed'])),
  productId: z.optional(productId),
  direction: z.optional(z.enum(directions)),
  result: z.optional(z.enum(finalStatuses)),
  from: queryInstant,
  to: queryInstant,
}

/** The list's filters, without pagination. */
export const ordersCsvQuery = z.strictObject(orderFilters)
/** The list's filters and page. */
export const ordersQuery = z.strictObject({ ...pageQuery, ...orderFilters })
export type OrderFilters = z.infer<typeof ordersCsvQuery>

export const orderRoutes = {
  placeOrder: route({
    method: 'POST',
    path: '/orders',
    summary: 'Place a timed order',
    member: true,
    unlessFrozen: true,
    keyed: true,
    body: placeRequest,
    status: 201,
    answer: order,
  }),
  orders: route({
    method: 'GET',
    path: '/orders',
    summary: 'Orders, newest first',
    member: true,
    query: ordersQuery,
    status: 200,
    answer: listOf(order),
  }),
  ordersCsv: route({
    method: 'GET',
    path: '/orders.csv',
    summary:
      'Orders as a CSV file: a year at most, the last one if `from` and `to` are left out; one file at a time, else 429',
    member: true,
    costly: true,
    query: ordersCsvQuery,
    media: 'text/csv',
    status: 200,
    answer: z.string(),
  }),
  order: route({
    method: 'GET',
    path: '/orders/:id',
    summary: 'One order',
    member: true,
    params: z.object({ id }),
    status: 200,
    answer: order,
  }),
  orderByKey: route({
    method: 'GET',
    path: '/orders/by-key/:key',
    summary: 'The order that a key placed',
    member: true,
    params: z.object({ key: id }),
    status: 200,
    answer: order,
  }),
  orderProof: route({
    method: 'GET',
    path: '/orders/:id/proof',
    summary: 'The ticks that settled an order, for verification',
    member: true,
    costly: true,
    params: z.object({ id }),
    status: 200,
    answer: proof,
  }),
}
