import { useRef } from 'react'
import type { Quote, Ticker } from '../../../streams/index.ts'
import { useQuotePart } from '../../hooks/useQuote.ts'

export type QuoteState = Pick<Ticker, 'status' | 'opensAt' | 'closesAt'> &
  Pick<Quote, 'stale' | 'witness'> & { at: number }

const stepMs = 1000

/**
 * The parts of a quote that the ticket needs, without the price. It changes with the product's state, and at most once
 * a second with the price's age, so that twenty prices a second do not render the ticket.
 */
export function useQuoteState(id: string): QuoteState | undefined {
  const cached = useRef<QuoteState>(undefined)
  return useQuotePart(id, (quote) => {
    if (quote === undefined) return undefined
    const { status, opensAt, closesAt } = quote.ticker
    const { stale, witness } = quote
    const next = { status, opensAt, closesAt, stale, witness, at: Math.floor(quote.at / stepMs) * stepMs }
    if (!isSame(cached.current, next)) cached.current = next
    return cached.current
  })
}

const isSame = (a: QuoteState | undefined, b: QuoteState): boolean =>
  a !== undefined &&
  a.status === b.status &&
  a.opensAt === b.opensAt &&
  a.closesAt === b.closesAt &&
  a.stale === b.stale &&
  a.witness === b.witness &&
  a.at === b.at
