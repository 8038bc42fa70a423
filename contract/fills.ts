import { epochMs } from './units.ts'
import type { Order } from './orders.ts'
import { formatPrice, formatUnits } from './price.ts'
import { isMean, type Exit, type SettleTick } from './settle.ts'

/** A tick as an order has it on the wire. */
export const fillOf = (
  { seq, at, price }: SettleTick,
  priceDecimals: number,
): NonNullable<Order['entry']> => ({
  seq,
  at: epochMs(at),
  price: formatPrice(price, priceDecimals),
})

/** An exit as an order has it on the wire: a tick, or a mean with one decimal more than the prices. */
export function wireExitOf(exit: Exit, priceDecimals: number): NonNullable<Order['exit']> {
  if (!isMean(exit)) return fillOf(exit, priceDecimals)
  const { value, ticks, from, to } = exit
  return { value: formatUnits(value, priceDecimals + 1), ticks, from, to }
}
