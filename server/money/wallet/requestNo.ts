import type { BusinessDay } from '../../../contract/time.ts'
import { randomBase32 } from '../../platform/random.ts'
import type { Random } from '../../platform/ports.ts'

const randomLength = 8

/** A number to read out to customer service, `D-260105-7K2M9QXV`: random, so that it does not reveal how many there are. */
export function requestNo(prefix: 'D' | 'W', day: BusinessDay, random: Random): string {
  return `${prefix}-${day.slice(2).replaceAll('-', '')}-${randomBase32(random, randomLength)}`
}
