import { useCallback, useSyncExternalStore } from 'react'
import type { Quote } from '../../streams/index.ts'
import { useStreams } from './useStreams.ts'

/** A product's quote, at most once a frame; undefined before the first. Watching keeps the product subscribed. */
export function useQuote(id: string): Quote | undefined {
  const { quotes } = useStreams()
  const subscribe = useCallback((changed: () => void) => quotes.watch(id, changed), [quotes, id])
  return useSyncExternalStore(subscribe, () => quotes.get(id))
}

/**
 * A part of a quote that changes less often than its price, as its figures or whether it is stale: the component
 * draws again only when that part does. `select` must answer with the same value for the same quote.
 */
export function useQuotePart<T>(id: string, select: (quote: Quote | undefined) => T): T {
  const { quotes } = useStreams()
  const subscribe = useCallback((changed: () => void) => quotes.watch(id, changed), [quotes, id])
  return useSyncExternalStore(subscribe, () => select(quotes.get(id)))
}
