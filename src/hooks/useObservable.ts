import { useMemo, useSyncExternalStore } from 'react'
import type { Observable, Subscription } from 'rxjs'
import type { Loadable } from '../../streams/index.ts'

const loading: Loadable<never> = { state: 'loading' }

/**
 * The newest value of a stream, `initial` before the first and where there is no stream. Both must be stable (made
 * outside the component or by `useMemo`): another stream or another initial value starts over. For prices read {@link useQuote} instead.
 */
export function useObservable<T>(source: Observable<T> | undefined, initial: T): T {
  const store = useMemo(() => createObservableStore(source, initial), [source, initial])
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}

/** As {@link useObservable}, for what is fetched: loading until the stream says more. */
export const useLoadable = <T>(source: Observable<Loadable<T>>): Loadable<T> =>
  useObservable<Loadable<T>>(source, loading)

/** A stream as a store: subscribed while somebody looks, and holding what came last. */
export function createObservableStore<T>(source: Observable<T> | undefined, initial: T) {
  const listeners = new Set<() => void>()
  let value = initial
  let running: Subscription | undefined
  return {
    get: (): T => value,
    subscribe: (changed: () => void): (() => void) => {
      listeners.add(changed)
      running ??= source?.subscribe({
        next: (next) => {
          value = next
          for (const watcher of listeners) watcher()
        },
        // The streams of the facade do not fail; one that did leaves its last value standing.
        error: () => undefined,
      })
      return () => {
        listeners.delete(changed)
        if (listeners.size > 0) return
        running?.unsubscribe()
        running = undefined
      }
    },
  }
}
