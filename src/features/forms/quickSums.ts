import { minor, type Minor } from '../../../contract/units.ts'

/** Round sums, in minor units, smallest first. */
const sums = [100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 500_000].map(minor)
/** A deposit offers only these. */
const smallestDeposit = 10_000
const stakesMax = 4

const within = (min: Minor, max: Minor): Minor[] => sums.filter((sum) => sum >= min && sum <= max)

/** The sums within a deposit method's range. */
export const quickSums = (min: Minor, max: Minor): Minor[] =>
  within(min, max).filter((sum) => sum >= smallestDeposit)

/** The four largest sums within what an order may be: those of a deposit, or smaller ones if these are too large. */
export const quickStakes = (min: Minor, max: Minor): Minor[] => within(min, max).slice(-stakesMax)
