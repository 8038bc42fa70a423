import type { Ticker, Product, Quote } from '../../../streams/index.ts'
import { useQuotePart } from '../../hooks/useQuote.ts'

const tickerOf = (quote: Quote | undefined): Ticker | undefined => quote?.ticker
const isStale = (quote: Quote | undefined): boolean => quote?.stale === true

/** A product's figures: live where there is a quote, else as the product table gave them. */
export const useTicker = (product: Product): Ticker => useQuotePart(product.id, tickerOf) ?? product

/** Whether the price is too old to trade on. */
export const useStale = (id: string): boolean => useQuotePart(id, isStale)
