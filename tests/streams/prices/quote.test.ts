import { NEVER } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createQuotes } from '../../../streams/prices/quote.ts'
import { marbles } from '../../support/marbles.ts'
import { sampleQuote } from '../../support/tickRuns.ts'

const a1 = sampleQuote(10_001)
const a2 = sampleQuote(10_002)
const b1 = sampleQuote(1, { id: 'B' })
const retained = () => {
  const counts = new Map<string, number>()
  const retain = (id: string): (() => void) => {
    counts.set(id, (counts.get(id) ?? 0) + 1)
    return () => void counts.set(id, (counts.get(id) ?? 0) - 1)
  }
  return { counts, retain }
}

describe('quote$', () => {
  it('emits the quotes of its product, the last one first', () =>
    marbles(({ hot, expectObservable, flush }) => {
      const { counts, retain } = retained()
      const quotes$ = hot('a--b--c', { a: [a1, b1], b: [b1], c: [a2, b1] })
      const first = '     1-----2'
      const late = '      ----1-2'
      const quotes = createQuotes({ quotes$, retain })
      expectObservable(quotes.quote$('A'), '^------!').toBe(first, { 1: a1, 2: a2 })
      expectObservable(quotes.quote$('A'), '----^--!').toBe(late, { 1: a1, 2: a2 })
      flush()
      expect(quotes.lastQuote('A')).toBe(a2)
      expect(counts).toEqual(new Map([['A', 0]]))
    }))

  it('emits nothing before the first quote, and nothing after close', () =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const quotes$ = hot('---a--b', { a: [a1], b: [a2] })
      const end$ = hot('   -----x')
      const expected = '   ---1---'
      const quotes = createQuotes({ quotes$, retain: retained().retain })
      end$.subscribe(() => quotes.close())
      expectObservable(quotes.quote$('A')).toBe(expected, { 1: a1 })
      expectSubscriptions(quotes$.subscriptions).toBe('^----!')
    }))

  it('shows a subscriber of one product the quotes of the same frame of another', () =>
    marbles(({ hot, flush }) => {
      const quotes$ = hot('a-b', { a: [a1, b1], b: [a2, sampleQuote(2, { id: 'B' })] })
      const quotes = createQuotes({ quotes$, retain: retained().retain })
      const seen: unknown[] = []
      quotes.quote$('A').subscribe(({ price }) => seen.push([price, quotes.lastQuote('B')?.price]))
      flush()
      expect(seen).toEqual([
        [10_001, 1],
        [10_002, 2],
      ])
    }))

  it('has no quote of a product that was never quoted', () => {
    const quotes = createQuotes({ quotes$: NEVER, retain: retained().retain })
    expect(quotes.lastQuote('A')).toBeUndefined()
  })
})
