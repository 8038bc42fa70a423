import type { Ticker, Product, Quote } from '../../../streams/index.ts'
import { useQuotePart } from '../../hooks/useQuote.ts'

const tickerOf = (quote: Quote | undefined): Ticker | undefined => quote?.ticker
const isStale = (quote: Quote | undefined): boolean => quote?.stale === true

/** A product's ticker: live if there is a quote, otherwise from the catalog. */
export const useTicker = (product: Product): Ticker => useQuotePart(product.id, tickerOf) ?? product

/** Whether the price is too old to trade on. */
export const useStale = (id: string): boolean => useQuotePart(id, isStale)
