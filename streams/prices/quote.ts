import type { Observable } from 'rxjs'
import { FunctionObservable, FunctionSubject } from './functionObservable.ts'
import type { Hub } from './hub.ts'
import type { Quote, Streams } from '../types.ts'

export type Quotes = Pick<Streams, 'quote$' | 'lastQuote'> & { close: () => void }

/** Splits the hub's quotes by product. A quote is replaced, never mutated. */
export function createQuotes(hub: Pick<Hub, 'quotes$' | 'retain'>): Quotes {
  const last = new Map<string, Quote>()
  const observed = new Map<string, FunctionSubject<Quote>>()
  const running = hub.quotes$.subscribe((quotes) => {
    // All quotes first: a subscriber that reads two products sees the same frame of both.
    for (const quote of quotes) last.set(quote.id, quote)
    for (const quote of quotes) observed.get(quote.id)?.next(quote)
  })

  const lastQuote = (id: string): Quote | undefined => last.get(id)
  const quote$ = (id: string): Observable<Quote> =>
    new FunctionObservable<Quote>((subscriber) => {
      subscriber.add(hub.retain(id, 'latest'))
      const quotes = observed.get(id) ?? new FunctionSubject<Quote>()
      observed.set(id, quotes)
      quotes.subscribe(subscriber)
      subscriber.add(() => void (quotes.isObserved || observed.delete(id)))
      const quote = lastQuote(id)
      if (quote) subscriber.next(quote)
    })
  return {
    quote$,
    lastQuote,
    close: () => {
      running.unsubscribe()
      observed.clear()
    },
  }
}
