import type { Minor } from '../../contract/brand.ts'
import { amountMax, validUntilAheadMaxMs } from '../../contract/constants.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import type { PlaceRequest } from '../../contract/orders.ts'
import type { Duration } from '../../contract/products.ts'
import { ApiError } from '../apiError.ts'
import { priceProblemOf } from '../market/priceProblem.ts'
import type { Market, ProductSettings } from '../ports.ts'
import type { VenueStatusStore } from '../venueStatus/venueStatus.ts'

/** An order request that passed every check except the balance, at the instant of the check. */
export type Validated = {
  settings: ProductSettings
  amount: Minor
  acceptedAt: number
  closeAt: number
}

type PreTradeContext = { market: Market; venueStatus: Pick<VenueStatusStore, 'state'> }

/**
 * Validates an order request at `now`, in the contract's order: shape, product, deadline, rate, amount.
 * The debit itself checks the balance.
 */
export function preTradeCheck(
  { market, venueStatus }: PreTradeContext,
  request: PlaceRequest,
  now: number,
): Validated {
  validateShape(request, now)
  const settings = market.settings(request.productId)
  if (!settings) throw new ApiError('NOT_FOUND')
  if (settings.witnessOf !== undefined) {
    throw new ApiError('VALIDATION', {
      params: { witnessOf: settings.witnessOf },
      fields: { productId: 'NO_ORDERS' },
    })
  }
  const { status, opensAt } = venueStatus.state()
  if (status === 'maintenance') throw new ApiError('PRODUCT_MAINTENANCE', { params: { opensAt } })
  const closeAt = now + request.seconds * 1000
  const duration = validateProduct(market, settings, request.seconds, closeAt, now)
  if (now > request.validUntil) throw new ApiError('INTENT_EXPIRED')
  if (request.rateBp !== duration.rateBp) {
    throw new ApiError('RATE_CHANGED', { params: { rateBp: duration.rateBp } })
  }
  return { settings, amount: validateAmount(request.amount, duration), acceptedAt: now, closeAt }
}

/** The part of the shape that the schema cannot check: the deadline may not be far ahead. */
export function validateShape(request: PlaceRequest, now: number): void {
  if (request.validUntil > now + validUntilAheadMaxMs) {
    throw new ApiError('VALIDATION', { fields: { validUntil: 'VALID_UNTIL' } })
  }
}

/** Checks that the product is open with fresh prices that its witness confirms, offers the duration, and stays open until the close. */
function validateProduct(
  market: Market,
  settings: ProductSettings,
  seconds: number,
  closeAt: number,
  now: number,
): Duration {
  const { status, opensAt, closesAt } = market.tradingHours(settings.id)
  if (status === 'maintenance') throw new ApiError('PRODUCT_MAINTENANCE', { params: { opensAt } })
  if (status === 'closed') throw new ApiError('PRODUCT_CLOSED', { params: { opensAt } })
  const problem = priceProblemOf(market, settings, now)
  if (problem === 'late') throw new ApiError('FEED_STALE')
  if (problem === 'witness') throw new ApiError('FEED_STALE', { params: { reason: 'witness' } })
  const duration = settings.durations.find((offered) => offered.seconds === seconds)
  if (!duration) throw new ApiError('DURATION_UNKNOWN')
  if (closesAt !== null && closeAt > closesAt) {
    throw new ApiError('CROSSES_CLOSE', { params: { closesAt } })
  }
  return duration
}

function validateAmount(text: string, duration: Duration): Minor {
  const amount = moneyOf(text)
  const min = moneyOf(duration.min)
  const max = moneyOf(duration.max) < amountMax ? moneyOf(duration.max) : amountMax
  if (amount < min || amount <= 0) {
    throw new ApiError('VALIDATION', { params: { min: duration.min }, fields: { amount: 'AMOUNT_MIN' } })
  }
  if (amount > max) {
    throw new ApiError('VALIDATION', {
      params: { max: formatMoney(max) },
      fields: { amount: 'AMOUNT_MAX' },
    })
  }
  return amount
}
