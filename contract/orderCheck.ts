import type { Minor } from './units.ts'
import { amountMax, validUntilAheadMaxMs } from './constants.ts'
import type { ErrorCode, FieldCode } from './errors.ts'
import { formatMoney, moneyOf } from './money.ts'
import type { PlaceRequest } from './orders.ts'
import { maxStakeOf, type Duration, type ProductStatus } from './products.ts'
import type { FeedStatus } from './socket.ts'
import type { VenueStatus } from './venueConfig.ts'

/** Why a request is refused: a code of the contract with its details. */
export type Rejection = {
  code: ErrorCode
  params?: Record<string, unknown>
  fields?: Record<string, FieldCode>
}

/** What the check reads of a product's settings. */
export type OrderedProduct = {
  id: string
  maxTickGapMs: number
  durations: readonly Duration[]
  /** For a witness: its product. A witness takes no orders. */
  witnessOf?: string | undefined
}

/** The prices of products, as far as they decide whether new orders may rely on them. */
export type PriceFacts = {
  lastTickAt(id: string): number
  feedStatus(id: string): FeedStatus
  /** Whether the product's witness agrees with it, or it has none. */
  witnessVerdict(id: string): string
}

/** What the check reads of a venue. */
export type OrderFacts<P extends OrderedProduct> = PriceFacts & {
  settings(id: string): P | undefined
  tradingHours(id: string): { status: ProductStatus; opensAt: number | null; closesAt: number | null }
}

/** An order request that passed every check except the balance, at the instant of the check. */
export type CheckedOrder<P> = { settings: P; amount: Minor; acceptedAt: number; closeAt: number }

/** Why the prices of an open product let no new orders in: they are late, or its second source does not confirm them. */
export type PriceProblem = 'late' | 'witness'

/** @returns null if new orders may rely on the product's prices at `now` */
export function priceProblemOf(
  prices: PriceFacts,
  { id, maxTickGapMs }: Pick<OrderedProduct, 'id' | 'maxTickGapMs'>,
  now: number,
): PriceProblem | null {
  if (now - prices.lastTickAt(id) > maxTickGapMs || prices.feedStatus(id) !== 'live') return 'late'
  return prices.witnessVerdict(id) === 'agrees' ? null : 'witness'
}

/**
 * Checks an order request at `now`, in the order of docs/protocol.md: shape, product, deadline, rate, amount. The debit
 * itself checks the balance.
 */
export function checkOrder<P extends OrderedProduct>(
  facts: OrderFacts<P>,
  venue: VenueStatus,
  request: PlaceRequest,
  now: number,
): CheckedOrder<P> | Rejection {
  const wrong = shapeRejection(request, now)
  if (wrong) return wrong
  const settings = facts.settings(request.productId)
  if (!settings) return { code: 'NOT_FOUND' }
  const { witnessOf } = settings
  if (witnessOf !== undefined)
    return { code: 'VALIDATION', params: { witnessOf }, fields: { productId: 'NO_ORDERS' } }
  if (venue.status === 'maintenance')
    return { code: 'PRODUCT_MAINTENANCE', params: { opensAt: venue.opensAt } }
  const closeAt = now + request.seconds * 1000
  const duration = durationOf(facts, settings, request.seconds, closeAt, now)
  if ('code' in duration) return duration
  if (now > request.validUntil) return { code: 'INTENT_EXPIRED' }
  const { rateBp, min } = duration
  if (request.rateBp !== rateBp) return { code: 'RATE_CHANGED', params: { rateBp } }
  const amount = amountWithin(request.amount, min, maxStakeOf(duration))
  return typeof amount === 'object' ? amount : { settings, amount, acceptedAt: now, closeAt }
}

/** The part of the shape that the schema cannot check: the deadline may not be far ahead. */
export const shapeRejection = ({ validUntil }: PlaceRequest, now: number): Rejection | undefined =>
  validUntil > now + validUntilAheadMaxMs
    ? { code: 'VALIDATION', fields: { validUntil: 'VALID_UNTIL' } }
    : undefined

/** The amount of a text; a rejection if it is below `min`, not above zero, or above `max`. */
export function amountWithin(text: string, min: string, max: Minor = amountMax): Minor | Rejection {
  const amount = moneyOf(text)
  if (amount < moneyOf(min) || amount <= 0)
    return { code: 'VALIDATION', params: { min }, fields: { amount: 'AMOUNT_MIN' } }
  if (amount > max)
    return { code: 'VALIDATION', params: { max: formatMoney(max) }, fields: { amount: 'AMOUNT_MAX' } }
  return amount
}

/** The duration, if the product is open with fresh prices that its witness confirms, and stays open until the close. */
function durationOf<P extends OrderedProduct>(
  facts: OrderFacts<P>,
  settings: P,
  seconds: number,
  closeAt: number,
  now: number,
): Duration | Rejection {
  const { status, opensAt, closesAt } = facts.tradingHours(settings.id)
  if (status === 'maintenance') return { code: 'PRODUCT_MAINTENANCE', params: { opensAt } }
  if (status === 'closed') return { code: 'PRODUCT_CLOSED', params: { opensAt } }
  const problem = priceProblemOf(facts, settings, now)
  if (problem === 'late') return { code: 'FEED_STALE' }
  if (problem === 'witness') return { code: 'FEED_STALE', params: { reason: 'witness' } }
  const duration = settings.durations.find((offered) => offered.seconds === seconds)
  if (!duration) return { code: 'DURATION_UNKNOWN' }
  if (closesAt !== null && closeAt > closesAt) return { code: 'CROSSES_CLOSE', params: { closesAt } }
  return duration
}
