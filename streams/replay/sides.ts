import type { Recording } from '../../contract/recording.ts'
import { priceUnits } from '../../contract/units.ts'
import type { Sides } from '../types.ts'

const none: Sides = {}

/** Bid and ask of the nth tick of a recording, from 0; what it does not have is missing. */
export function sidesAt({ bid, ask }: Recording, n: number): Sides {
  if (!bid && !ask) return none
  const [low = 0, high = 0] = [bid?.[n], ask?.[n]]
  return { ...(low > 0 && { bid: priceUnits(low) }), ...(high > 0 && { ask: priceUnits(high) }) }
}
