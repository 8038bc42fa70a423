import { useCallback, useSyncExternalStore } from 'react'
import type { Quote } from '../../streams/index.ts'
import { useStreams } from './useStreams.ts'

/** A product's quote, at most once a frame; undefined before the first. Watching keeps the product subscribed. */
export function useQuote(id: string): Quote | undefined {
  const { quotes } = useStreams()
  const subscribe = useCallback((changed: () => void) => quotes.watch(id, changed), [quotes, id])
  return useSyncExternalStore(subscribe, () => quotes.get(id))
}
