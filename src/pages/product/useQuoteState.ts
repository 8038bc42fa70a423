import { useCallback, useRef, useSyncExternalStore } from 'react'
import type { Ticker } from '../../../streams/index.ts'
import { useStreams } from '../../hooks/useStreams.ts'

export type QuoteState = Pick<Ticker, 'status' | 'opensAt' | 'closesAt'> & { at: number; stale: boolean }

const stepMs = 1000

/**
 * What the ticket needs of a quote: not its price. Changes with the product's state and at most once a second
 * with the price's age, so that twenty prices a second do not render a ticket.
 */
export function useQuoteState(id: string): QuoteState | undefined {
  const { quotes } = useStreams()
  const cached = useRef<QuoteState>(undefined)
  const subscribe = useCallback((changed: () => void) => quotes.watch(id, changed), [quotes, id])
  return useSyncExternalStore(subscribe, () => {
    const quote = quotes.get(id)
    if (quote === undefined) return undefined
    const { status, opensAt, closesAt } = quote.ticker
    const next = { status, opensAt, closesAt, stale: quote.stale, at: Math.floor(quote.at / stepMs) * stepMs }
    if (!same(cached.current, next)) cached.current = next
    return cached.current
  })
}

const same = (a: QuoteState | undefined, b: QuoteState): boolean =>
  a !== undefined &&
  a.status === b.status &&
  a.opensAt === b.opensAt &&
  a.closesAt === b.closesAt &&
  a.stale === b.stale &&
  a.at === b.at
