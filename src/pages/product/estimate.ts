import type { Minor } from '../../../contract/brand.ts'
import { minor } from '../../../contract/brand.ts'
import { breakEvenRate, winProfit } from '../../../contract/money.ts'

/** What an order would bring, before it exists. */
export type Estimate = {
  win: Minor
  /** Below zero: the stake. */
  loss: Minor
  /** The share of right guesses at which nothing is won or lost, as a fraction of 1. */
  breakEven: number
}

/** The estimate of a stake at a rate; without a stake, of nothing. */
export function estimateOutcome(amount: Minor | undefined, rateBp: number): Estimate {
  const stake = amount ?? minor(0)
  return { win: winProfit(stake, rateBp), loss: minor(0 - stake), breakEven: breakEvenRate(rateBp) }
}
