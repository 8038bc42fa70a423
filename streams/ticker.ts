import { ticker } from '../contract/products.ts'
import type { Ticker } from '../contract/products.ts'
import type { TickerEvent } from '../contract/socket.ts'

/** A ticker with its changes; undefined if the changes are of a ticker that is not known. */
export function completeTicker(
  known: Ticker | undefined,
  changes: TickerEvent['f'][number],
): Ticker | undefined {
  return ticker.safeParse({ ...known, ...changes }).data
}

/** Prices on the wire have exactly their product's decimals. */
export function decimalsOf(price: string): number {
  const dot = price.indexOf('.')
  return dot < 0 ? 0 : price.length - dot - 1
}
