import type { PriceUnits } from '../../contract/units.ts'
import { formatUnits, parsePrice } from '../../contract/price.ts'
import { ticker, type Ticker } from '../../contract/products.ts'
import type { TickerEvent } from '../../contract/socket.ts'

/** A ticker with its changes; undefined if the changes are of a ticker that is not known. */
export function completeTicker(
  known: Ticker | undefined,
  changes: TickerEvent['f'][number],
): Ticker | undefined {
  // Both have been validated, each on its own.
  return known ? ({ ...known, ...changes } as Ticker) : ticker.safeParse(changes).data
}

/** The high and low of a product's ticker as numbers: many prices come between two tickers. */
export class DayRange {
  #of: Ticker | undefined
  #high = 0
  #low = 0

  /** The ticker whose high and low include a price that is newer than it: the venue sends the next one within a second. */
  including(price: PriceUnits, known: Ticker, priceDecimals: number): Ticker {
    if (this.#of !== known) {
      this.#of = known
      this.#high = parsePrice(known.high24h, priceDecimals) ?? Number.POSITIVE_INFINITY
      this.#low = parsePrice(known.low24h, priceDecimals) ?? Number.NEGATIVE_INFINITY
    }
    const isHigher = price > this.#high
    if (!isHigher && price >= this.#low) return known
    return { ...known, [isHigher ? 'high24h' : 'low24h']: formatUnits(price, priceDecimals) }
  }
}

/** Prices on the wire have exactly their product's decimals. */
export function decimalsOf(price: string): number {
  const dot = price.indexOf('.')
  return dot < 0 ? 0 : price.length - dot - 1
}
