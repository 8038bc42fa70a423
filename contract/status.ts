import * as z from 'zod/mini'
import { freezeReasons } from './freeze.ts'
import { gap, head, productStatuses, source } from './products.ts'
import { route } from './route.ts'
import { witnessRejections } from './socket.ts'
import { instant, productId } from './schema.ts'
import { venueStatus } from './venueConfig.ts'

/** The page on status covers this many days in UTC, the current one included. */
export const statusDays = 30
/** Outcomes of fewer orders are not published: they would show single orders. */
export const outcomesMinOrders = 100
/** The number of gaps listed for a product; `GET /api/products/:id/gaps` has all. */
export const statusGapsMax = 20

/** `paused` is an open product that takes no orders, because its prices are late or its second source disagrees. */
export const productStates = [...productStatuses, 'paused'] as const
export type ProductState = (typeof productStates)[number]

/**
 * How the orders of a product ended that were settled in the days covered; shares are basis points. The four shares of
 * all orders add up to 10,000.
 */
export const outcomeShares = z.object({
  orders: z.int(),
  wonBp: z.int(),
  lostBp: z.int(),
  tiedBp: z.int(),
  refundedBp: z.int(),
  /** Of won and lost orders only, the won ones, and the share at which orders with their rates gain and lose nothing. */
  decided: z.nullable(z.object({ wonBp: z.int(), breakEvenBp: z.int() })),
})
export type OutcomeShares = z.infer<typeof outcomeShares>

const statusGap = z.object({ ...gap.shape, refundedOrders: z.int() })
export type StatusGap = z.infer<typeof statusGap>

export const productReport = z.object({
  id: productId,
  code: z.string(),
  names: z.record(z.string(), z.string()),
  state: z.enum(productStates),
  opensAt: venueStatus.shape.opensAt,
  /** The number and hash of the newest tick. */
  head,
  /** The sources of the days covered, oldest first; the last one sets the prices now. */
  sources: z.array(z.object({ ...source.shape, refundedOrders: z.int() })),
  /** The second source, and whether it confirms the prices. */
  witness: z.optional(z.object({ id: productId, verdict: z.enum(['agrees', ...witnessRejections]) })),
  /** How many gaps the days covered have, and how long they are together, in ms; one that lasts counts up to `at`. */
  gapCount: z.int(),
  gapMs: z.int(),
  /** The newest of these gaps, newest first. */
  gaps: z.array(statusGap),
  /** Orders that these gaps and changes of source refunded. */
  refundedOrders: z.int(),
  /** Null with fewer than {@link outcomesMinOrders} orders. */
  outcomes: z.nullable(outcomeShares),
})
export type ProductReport = z.infer<typeof productReport>

export const logReport = z.object({
  /** The log's name, the number of its leaves, and the instant of the newest one. */
  name: z.string(),
  size: z.int(),
  at: instant,
  /** Who is asked to cosign it, and the instant of the newest cosignature of each that this node has seen. */
  witnesses: z.array(z.object({ name: z.string(), seenAt: z.nullable(instant) })),
})
export type LogReport = z.infer<typeof logReport>

/** What the venue found when it checked itself; a part is null until it ran for the first time. Differences stay counted. */
export const checksReport = z.object({
  /** Each minute: orders settled again from the tick log, and those whose stored result is another one. */
  results: z.nullable(
    z.object({ at: instant, orders: z.int(), differing: z.int(), differedAt: z.nullable(instant) }),
  ),
  /** At each start, and while it runs: ticks whose chain was verified, and places where it was broken. */
  log: z.nullable(
    z.object({ at: instant, ticks: z.int(), damaged: z.int(), damagedAt: z.nullable(instant) }),
  ),
  /** Each night: the ledger's postings, and the rows that do not follow from their causes. */
  books: z.nullable(z.object({ at: instant, postings: z.int(), differing: z.int() })),
})
export type ChecksReport = z.infer<typeof checksReport>

export const statusReport = z.object({
  /** When it was made; it is made again at most every 10 s. */
  at: instant,
  /** Gaps, changes of source and outcomes are those after it. */
  from: instant,
  site: venueStatus,
  products: z.array(productReport),
  /** How many accounts are frozen now, by reason. */
  frozen: z.record(z.enum(freezeReasons), z.int()),
  /** Null until the log has a leaf. */
  log: z.nullable(logReport),
  checks: checksReport,
})
export type StatusReport = z.infer<typeof statusReport>

export const statusRoutes = {
  status: route({
    method: 'GET',
    path: '/status',
    summary:
      'Gaps, refunds, heads, sources and outcomes of each product in the last 30 days, the public log, and what the venue checked',
    status: 200,
    answer: statusReport,
  }),
}
