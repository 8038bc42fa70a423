import { parseAmountInput } from '../../contract/amount.ts'
import { toHalfWidth } from '../../contract/halfWidth.ts'
import type { Minor } from '../../contract/units.ts'

/** A comma that groups no thousands. */
const looseComma = /,(?!\d{3}(?!\d))/

/**
 * The amount that a clerk typed, full-width signs too; undefined if nothing was, and `unclear` if it is none. In the
 * office's languages a comma only groups thousands, so that `1,00` is not read as one.
 */
export function amountTyped(typed: string): Minor | 'unclear' | undefined {
  if (typed.trim() === '') return undefined
  const amount = parseAmountInput(typed)
  return amount === undefined || looseComma.test(toHalfWidth(typed)) ? 'unclear' : amount
}
