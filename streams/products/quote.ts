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
 * The quotes shown on screen: published once per animation frame for all watchers, from the products that changed. A
 * frame is only requested after a change. A quote is replaced, never mutated.
 */
export function createQuotes(hub: Hub, animationFrame$: Observable<unknown>): Quotes {
  const known = new Map<string, Quote>()
  const watchers = new Map<string, Set<() => void>>()
  let pendingFrame: Subscription | undefined

  const publish = (): void => {
    const changed = hub.takeChanged()
    for (const sequencer of changed) {
      const quote = hub.quote(sequencer)
      if (quote) known.set(sequencer.id, quote)
    }
    // All quotes first, then the watchers: one that reads two products sees the same frame of both.
    for (const sequencer of changed) {
      if (!known.has(sequencer.id)) continue
      for (const notify of watchers.get(sequencer.id) ?? []) notify()
    }
  }
  const running = hub.changed$.subscribe(() => {
    pendingFrame?.unsubscribe()
    pendingFrame = animationFrame$.pipe(take(1)).subscribe(publish)
  })

  const watch = (id: string, onChange: () => void): (() => void) => {
    // Wrapped, so that a function that watches twice is called twice and removed one at a time.
    const notify = (): void => onChange()
    const watching = watchers.get(id) ?? new Set()
    watchers.set(id, watching.add(notify))
    const release = hub.retain(id, 'latest')
    return () => {
      watching.delete(notify)
      if (watching.size === 0 && watchers.get(id) === watching) watchers.delete(id)
      release()
    }
  }
  const get = (id: string): Quote | undefined => known.get(id)
  const quote$ = (id: string): Observable<Quote> =>
    new Observable<Quote>((subscriber) => {
      const notify = (): void => {
        const quote = get(id)
        if (quote) subscriber.next(quote)
      }
      subscriber.add(watch(id, notify))
      notify()
    })
  return {
    store: { get, watch },
    quote$,
    close: () => {
      running.unsubscribe()
      pendingFrame?.unsubscribe()
      watchers.clear()
    },
  }
}
