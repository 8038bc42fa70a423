import type { Minor } from '../../contract/brand.ts'
import { amountMax } from '../../contract/constants.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import { ApiError } from '../apiError.ts'

/** The minimum if a rule does not name one. */
export const smallestAmount = '0.01'

/** Parses an amount; throws `VALIDATION` if it is below `min` or above the venue's maximum. */
export function parseFundAmount(text: string, min: string): Minor {
  const amount = moneyOf(text)
  if (amount < moneyOf(min)) {
    throw new ApiError('VALIDATION', { params: { min }, fields: { amount: 'AMOUNT_MIN' } })
  }
  if (amount > amountMax) {
    const params = { max: formatMoney(amountMax) }
    throw new ApiError('VALIDATION', { params, fields: { amount: 'AMOUNT_MAX' } })
  }
  return amount
}
