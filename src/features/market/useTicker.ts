import type { Ticker, Product, Quote } from '../../../streams/index.ts'
import { useQuotePart } from '../../hooks/useQuote.ts'
import { useVenueUnreachable } from '../../hooks/useVenueUnreachable.ts'

const tickerOf = (quote: Quote | undefined): Ticker | undefined => quote?.ticker
const isStale = (quote: Quote | undefined): boolean | undefined => quote?.stale

/** A product's ticker: live if there is a quote, otherwise from the catalogue. */
export const useTicker = (product: Product): Ticker => useQuotePart(product.id, tickerOf) ?? product

/** Whether the price is too old to trade on; without a quote it is that of the offline copy while the venue is away. */
export function useStale(id: string): boolean {
  const isQuoteStale = useQuotePart(id, isStale)
  const isUnreachable = useVenueUnreachable()
  return isQuoteStale === true || isUnreachable
}
