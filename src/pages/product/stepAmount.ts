import { minor, type Minor } from '../../../contract/units.ts'

/** Steps are whole units of the currency at least. */
const unit = 100

/**
 * The next round amount below or above: its first digit counts by one, so 90, 100, 200. Undefined if there is none between
 * `min` and `max`; the step down ends at `min`, the step up at the last round amount, never at all that is available.
 */
export function stepAmount(amount: Minor, by: 'down' | 'up', min: Minor, max: Minor): Minor | undefined {
  if (by === 'up') {
    const next = Math.max(roundAbove(amount), min === 0 ? unit : roundUp(min))
    return next <= max ? minor(next) : undefined
  }
  const next = Math.max(min, amount > max ? roundDown(max) : roundBelow(amount))
  return next < amount && next <= max ? minor(next) : undefined
}

/** The power of ten of an amount's first digit, at least one unit. */
const digitOf = (amount: number): number => {
  let digit = unit
  while (digit * 10 <= amount) digit *= 10
  return digit
}
const roundDown = (amount: number): number => Math.floor(amount / digitOf(amount)) * digitOf(amount)
const roundUp = (amount: number): number => Math.ceil(amount / digitOf(amount)) * digitOf(amount)
const roundAbove = (amount: number): number => roundDown(amount) + digitOf(amount)
/** Below 100 the first digit counts tens. */
const roundBelow = (amount: number): number =>
  roundDown(amount) < amount ? roundDown(amount) : amount - digitOf(amount - 1)
