import type { BusinessDay } from '../../../contract/time.ts'
import { randomBase32 } from '../../platform/random.ts'
import type { Random } from '../../platform/ports.ts'

const randomLength = 6

/**
 * A number to read out to customer service: `UT-260105-7K2M9Q`. The end is random, not a counter, so that it does not
 * reveal how many orders there are; the unique index catches the rare duplicate.
 */
export function orderNo(day: BusinessDay, random: Random): string {
  return `UT-${day.slice(2).replaceAll('-', '')}-${randomBase32(random, randomLength)}`
}
