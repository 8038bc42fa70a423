import type { Minor } from '../../contract/units.ts'
import { amountWithin } from '../../contract/orderCheck.ts'
import { ApiError } from './apiError.ts'

/** The minimum if a rule does not name one. */
export const smallestAmount = '0.01'

/** Parses an amount; throws `VALIDATION` if it is below `min`, not above zero, or above `max`. */
export function parseAmount(text: string, min: string, max?: Minor): Minor {
  const amount = amountWithin(text, min, max)
  if (typeof amount === 'object') throw new ApiError(amount.code, amount)
  return amount
}
