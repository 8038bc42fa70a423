import { minor } from '../../../contract/brand.ts'
import type { Minor } from '../../../contract/brand.ts'

/** Round sums, in minor units. */
const sums = [10_000, 50_000, 100_000, 500_000].map(minor)

/** The sums within a deposit method's range. */
export const quickSums = (min: Minor, max: Minor): Minor[] => sums.filter((sum) => sum >= min && sum <= max)
