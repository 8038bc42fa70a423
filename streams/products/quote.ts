import { Observable, take } from 'rxjs'
import type { Subscription } from 'rxjs'
import type { Hub } from '../hub.ts'
import type { Quote, QuoteStore } from '../types.ts'

export type Quotes = {
  store: QuoteStore
  quote$: (id: string) => Observable<Quote>
  close: () => void
}

/**
 * The painted face of every product: one flush per frame, shared by all, makes new quotes of what changed and tells
 * who watches. A frame is asked for only when something did. A quote is replaced, never altered.
 */
export function createQuotes(hub: Hub, frame$: Observable<unknown>): Quotes {
  const known = new Map<string, Quote>()
  const watchers = new Map<string, Set<() => void>>()
  let frame: Subscription | undefined

  const flush = (): void => {
    const changed = hub.takeChanged()
    for (const channel of changed) {
      const quote = hub.quote(channel)
      if (quote) known.set(channel.id, quote)
    }
    // All quotes first, then the watchers: one who reads two products sees the same frame of both.
    for (const channel of changed) {
      if (!known.has(channel.id)) continue
      for (const tell of watchers.get(channel.id) ?? []) tell()
    }
  }
  const running = hub.changed$.subscribe(() => {
    frame?.unsubscribe()
    frame = frame$.pipe(take(1)).subscribe(flush)
  })

  const watch = (id: string, changed: () => void): (() => void) => {
    // Wrapped, so that the same function watching twice is told twice and leaves once each.
    const tell = (): void => changed()
    const watching = watchers.get(id) ?? new Set()
    watchers.set(id, watching.add(tell))
    const release = hub.hold(id, 'latest')
    return () => {
      watching.delete(tell)
      if (watching.size === 0 && watchers.get(id) === watching) watchers.delete(id)
      release()
    }
  }
  const get = (id: string): Quote | undefined => known.get(id)
  const quote$ = (id: string): Observable<Quote> =>
    new Observable<Quote>((subscriber) => {
      const tell = (): void => {
        const quote = get(id)
        if (quote) subscriber.next(quote)
      }
      subscriber.add(watch(id, tell))
      tell()
    })
  return {
    store: { get, watch },
    quote$,
    close: () => {
      running.unsubscribe()
      frame?.unsubscribe()
      watchers.clear()
    },
  }
}
