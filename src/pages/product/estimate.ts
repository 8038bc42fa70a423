import { minor, type Minor } from '../../../contract/units.ts'
import { breakEvenRate, winProfit } from '../../../contract/money.ts'

/** The estimated outcome of an order before it is placed. */
export type Estimate = {
  win: Minor
  /** Negative: the stake. */
  loss: Minor
  /** The share of won orders at which the total P&L is zero, as a fraction of 1. */
  breakEven: number
}

/** The estimate of a stake at a rate; without a stake, of a zero stake. */
export function estimateOutcome(amount: Minor | undefined, rateBp: number): Estimate {
  const stake = amount ?? minor(0)
  return { win: winProfit(stake, rateBp), loss: minor(0 - stake), breakEven: breakEvenRate(rateBp) }
}
