import type { Observable, Subscriber } from 'rxjs'
import { FunctionObservable, callOf, callSafely } from './functionObservable.ts'
import type { Hub } from './hub.ts'
import type { Quote, Streams } from '../types.ts'

export type Quotes = Pick<Streams, 'quote$' | 'lastQuote'> & { close: () => void }

type Observers = { subscribers: readonly Subscriber<Quote>[]; call: (quote: Quote) => void }

/** Splits the hub's quotes by product. A quote is replaced, never mutated. */
export function createQuotes(hub: Pick<Hub, 'quotes$' | 'retain'>): Quotes {
  const last = new Map<string, Quote>()
  const observed = new Map<string, Observers>()
  const running = hub.quotes$.subscribe((quotes) => {
    // All quotes first: a subscriber that reads two products sees the same frame of both.
    for (const quote of quotes) last.set(quote.id, quote)
    for (const quote of quotes) {
      const observers = observed.get(quote.id)
      if (observers) callSafely(observers.call, quote)
    }
  })

  const lastQuote = (id: string): Quote | undefined => last.get(id)
  const setSubscribers = (id: string, subscribers: readonly Subscriber<Quote>[]): void => {
    if (subscribers.length === 0) observed.delete(id)
    else observed.set(id, { subscribers, call: callOf(subscribers) })
  }
  const subscribersOf = (id: string): readonly Subscriber<Quote>[] => observed.get(id)?.subscribers ?? []
  const quote$ = (id: string): Observable<Quote> =>
    new FunctionObservable<Quote>((subscriber) => {
      subscriber.add(hub.retain(id, 'latest'))
      setSubscribers(id, [...subscribersOf(id), subscriber])
      subscriber.add(() =>
        setSubscribers(
          id,
          subscribersOf(id).filter((other) => other !== subscriber),
        ),
      )
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
