import * as z from 'zod/mini'
import { minor, type Minor } from './units.ts'
import { amountMax, candlesPageMax, rules, sourceIdMax, ticksPageMax } from './constants.ts'
import { timeframeNames } from './candles.ts'
import type { WireTick } from './chain.ts'
import { moneyOf } from './money.ts'
import { route } from './route.ts'
import {
  decimal,
  hash,
  instant,
  listOf,
  money,
  pageQuery,
  plainInstant,
  productId,
  queryInstant,
  queryInt,
} from './schema.ts'

export const categories = ['futures', 'forex', 'crypto'] as const
export type Category = (typeof categories)[number]
export const productStatuses = ['open', 'closed', 'maintenance'] as const
export type ProductStatus = (typeof productStatuses)[number]

/** The rolling 24-hour ticker of a product, as sent by REST, `figures` and `subscribe`. */
const tickerFields = {
  last: decimal,
  lastAt: instant,
  change24hBp: z.int(),
  high24h: decimal,
  low24h: decimal,
  volume24h: decimal,
  amount24h: decimal,
  status: z.enum(productStatuses),
  opensAt: z.nullable(instant),
  closesAt: z.nullable(instant),
}
export const ticker = z.object({ id: productId, ...tickerFields })
export type Ticker = z.infer<typeof ticker>

export const priceDecimals = z.int().check(z.gte(0), z.lte(8))

export const product = z.object({
  id: productId,
  code: z.string(),
  category: z.enum(categories),
  names: z.record(z.string(), z.string()),
  priceDecimals,
  sizeDecimals: z.int().check(z.gte(0), z.lte(8)),
  ...tickerFields,
  rateBp: z.int(),
  recommended: z.boolean(),
  source: z.string(),
  /** For a replay with a period: its first pass begins at `epoch`, and every second one plays mirrored prices. */
  passes: z.optional(z.object({ epoch: plainInstant, periodMs: z.int() })),
  /** Its last day had fewer than a tick in two seconds, on average of the minutes with any. */
  thin: z.optional(z.literal(true)),
  spark: z.optional(z.array(z.number())),
})
export type Product = z.infer<typeof product>

/** Whether volume and turnover are of trades. Quotes of currencies have no sizes: each tick counts one, which is no volume. */
export const hasVolume = ({ category, sizeDecimals }: Pick<Product, 'category' | 'sizeDecimals'>): boolean =>
  category !== 'forex' || sizeDecimals > 0

export const duration = z.object({
  seconds: z.int().check(z.positive()),
  rateBp: z.int(),
  min: money,
  max: money,
})
export type Duration = z.infer<typeof duration>

/** The maximum stake of a duration: its own limit or the specification's. */
export const maxStakeOf = ({ max }: Duration): Minor => minor(Math.min(moneyOf(max), amountMax))

/**
 * Where a product's prices come from after `sinceAt`. `fingerprint` identifies everything that determines each tick,
 * `epoch` is the instant of the first possible tick of a computed source, `text` is for people.
 */
export const source = z.object({
  sinceAt: plainInstant,
  fingerprint: z.string(),
  epoch: plainInstant,
  text: z.string(),
})
export type Source = z.infer<typeof source>

/**
 * The outcome of refunded orders at the last tick before the cause of the refund: how many would have won, lost or tied
 * there (one without an entry yet counts as level), and the sum they would have won or lost.
 */
export const interruptedOutcomes = z.object({ ahead: z.int(), behind: z.int(), level: z.int(), pnl: money })
export type InterruptedOutcomes = z.infer<typeof interruptedOutcomes>

/** What rule R2 has besides the terms of R1; `settle/types.ts` says what each means. */
export const averagingTerms = {
  entryDelayMs: z.int().check(z.nonnegative()),
  exitWindowMs: z.int().check(z.nonnegative()),
  // Less than half at each end, so that a price remains.
  exitCutBp: z.int().check(z.gte(0), z.lt(5000)),
  exitMinTicks: z.int().check(z.positive()),
}

const optionalTerms = {
  entryDelayMs: z.optional(averagingTerms.entryDelayMs),
  exitWindowMs: z.optional(averagingTerms.exitWindowMs),
  exitCutBp: z.optional(averagingTerms.exitCutBp),
  exitMinTicks: z.optional(averagingTerms.exitMinTicks),
}

export const productDetail = z.object({
  ...product.shape,
  durations: z.array(duration),
  maxTickGapMs: z.int(),
  entryTimeoutMs: z.int(),
  /** The settlement rule of new orders, with its own terms if it is R2. */
  rule: z.enum(rules),
  ...optionalTerms,
  /** How ticks are hashed: 2 if the source is live, so that `sourceId` and `sourceAt` are in the text. */
  chain: z.union([z.literal(1), z.literal(2)]),
  /** The second source that its prices are compared with, a product of its own; new orders need its agreement. */
  witness: z.optional(z.object({ id: productId, maxDeviationBp: z.int() })),
  /** For a witness: its product. A witness takes no orders and is in no list. */
  witnessOf: z.optional(productId),
  /** Oldest first; the last one sets the prices now. `stood`: the orders that this change of source refunded. */
  sources: z.array(z.object({ ...source.shape, refundedOrders: z.int(), stood: interruptedOutcomes })),
  /** All orders of the product that a gap or a change of source refunded. */
  refunds: z.object({ orders: z.int(), ...interruptedOutcomes.shape }),
})
export type ProductDetail = z.infer<typeof productDetail>

const computedTick = z.tuple([z.int(), plainInstant, decimal, decimal])
const liveTick = z.tuple([
  z.int(),
  plainInstant,
  decimal,
  decimal,
  z.string().check(z.minLength(1), z.maxLength(sourceIdMax)),
  plainInstant,
])
/** `[seq, at, price, size]`, and for a tick of a live source `[…, sourceId, sourceAt]`: the exchange's own. */
export const restTick = z.union([computedTick, liveTick])
export type RestTick = z.infer<typeof restTick>
export const toRestTick = (tick: WireTick): RestTick => (tick.length === 6 ? [...tick] : [...tick])
export const restCandle = z.tuple([
  plainInstant,
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.int(),
])
export type RestCandle = z.infer<typeof restCandle>
export const head = z.object({ seq: z.int(), hash })
export const gap = z.object({ from: plainInstant, to: z.nullable(plainInstant) })

const ofProduct = z.object({ id: productId })
const ticksAnswer = z.object({ ticks: z.array(restTick), complete: z.boolean(), before: z.nullable(head) })
export type TicksAnswer = z.infer<typeof ticksAnswer>

export const productRoutes = {
  products: route({
    method: 'GET',
    path: '/products',
    summary: 'The product table',
    query: z.strictObject({
      category: z.optional(z.enum(categories)),
      q: z.optional(z.string().check(z.maxLength(64))),
      spark: z.optional(z.enum(['true', 'false'])),
    }),
    status: 200,
    answer: z.object({ items: z.array(product) }),
  }),
  product: route({
    method: 'GET',
    path: '/products/:id',
    summary: 'One product with its durations',
    params: ofProduct,
    status: 200,
    answer: productDetail,
  }),
  ticks: route({
    method: 'GET',
    path: '/products/:id/ticks',
    summary: 'Recorded ticks',
    costly: true,
    params: ofProduct,
    query: z.strictObject({
      afterSeq: z.optional(queryInt(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
      from: queryInstant,
      to: queryInstant,
      limit: z._default(queryInt(1, ticksPageMax), ticksPageMax),
    }),
    status: 200,
    answer: ticksAnswer,
  }),
  candles: route({
    method: 'GET',
    path: '/products/:id/candles',
    summary: 'Candles of one timeframe',
    costly: true,
    params: ofProduct,
    query: z.strictObject({
      tf: z.enum(timeframeNames),
      to: queryInstant,
      limit: z._default(queryInt(1, candlesPageMax), 300),
    }),
    status: 200,
    answer: z.object({ candles: z.array(restCandle) }),
  }),
  recording: route({
    method: 'GET',
    path: '/recordings/:sha256',
    summary: 'The file of a recording that a source replays, gzip CSV, by the SHA-256 in its fingerprint',
    costly: true,
    params: z.object({ sha256: hash }),
    media: 'application/gzip',
    status: 200,
    answer: z.string(),
  }),
  gaps: route({
    method: 'GET',
    path: '/products/:id/gaps',
    summary: 'Every gap in the feed, newest first',
    costly: true,
    params: ofProduct,
    query: z.strictObject(pageQuery),
    status: 200,
    answer: listOf(z.object({ ...gap.shape, refundedOrders: z.int(), stood: interruptedOutcomes })),
  }),
}
