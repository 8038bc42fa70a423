import { useCallback, useSyncExternalStore } from 'react'
import type { Quote } from '../../streams/index.ts'
import { useStreams } from './useStreams.ts'

/** A product's quote, at most once per animation frame; undefined before the first. Keeps the product subscribed. */
export const useQuote = (id: string): Quote | undefined => useQuotePart(id, wholeQuote)

const wholeQuote = (quote: Quote | undefined): Quote | undefined => quote

/**
 * A part of a quote that changes less often than its price, such as its ticker or whether it is stale: the component
 * renders again only when that part changes. `select` must return the same value for the same quote.
 */
export function useQuotePart<T>(id: string, select: (quote: Quote | undefined) => T): T {
  const { quote$, lastQuote } = useStreams()
  const subscribe = useCallback(
    (onChange: () => void) => {
      const quotes = quote$(id).subscribe(onChange)
      return () => quotes.unsubscribe()
    },
    [quote$, id],
  )
  return useSyncExternalStore(subscribe, () => select(lastQuote(id)))
}
