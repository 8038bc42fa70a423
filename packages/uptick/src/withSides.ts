import { map, mergeMap, type Observable } from 'rxjs'
import { ticksOf, type Quote, type Sides, type Streams, type Tick } from '../../../streams/index.ts'

/** Of a product's tick by its number. */
export type SidesOf = (id: string, seq: number) => Sides

/** Streams whose quotes have bid and ask where the recording has them. */
export function withSides(streams: Streams, sidesOf: SidesOf): Streams {
  // A quote stays the same object for those who compare it with the one before.
  const known = new WeakMap<Quote, Quote>()
  const complete = (quote: Quote): Quote => {
    const sides = sidesOf(quote.id, quote.seq)
    if (sides.bid === undefined && sides.ask === undefined) return quote
    const completed = known.get(quote) ?? { ...quote, ...sides }
    known.set(quote, completed)
    return completed
  }
  return {
    ...streams,
    quote$: (id) => streams.quote$(id).pipe(map(complete)),
    lastQuote: (id) => {
      const quote = streams.lastQuote(id)
      return quote && complete(quote)
    },
  }
}

/** Every tick of a product, with bid and ask where the recording has them. */
export const ticksWithSides = (
  streams: Pick<Streams, 'run$'>,
  sidesOf: SidesOf,
  id: string,
): Observable<Tick> =>
  streams.run$(id).pipe(
    mergeMap(ticksOf),
    map((tick) => ({ ...tick, ...sidesOf(id, tick.seq) })),
  )
