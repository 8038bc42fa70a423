import { useMemo, useSyncExternalStore } from 'react'
import type { Observable, Subscription } from 'rxjs'
import type { Loadable, Replaying } from '../../streams/index.ts'

const loading: Loadable<never> = { state: 'loading' }

/**
 * The newest value of a stream; `initial` before the first value or if there is no stream. Only a stream that replays has a
 * value at the first render. Both must be stable (created outside the component or by `useMemo`): another stream or initial
 * value starts over. For prices use {@link useQuote}.
 */
export function useObservable<T>(source: Observable<T> | undefined, initial: T): T {
  const store = useMemo(() => createObservableStore(source, initial), [source, initial])
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}

/** Like {@link useObservable} for a loadable: loading until the first value. */
export const useLoadable = <T>(source: Observable<Loadable<T>> | undefined): Loadable<T> =>
  useObservable<Loadable<T>>(source, loading)

/** The value of a loadable, fresh or not. */
export const valueOf = <T>(loadable: Loadable<T>): T | undefined =>
  loadable.state === 'loading' ? undefined : loadable.value

/** Several loadables as one: ready when all have a value; until then the first failure, or loading. */
export function allOf<T extends readonly unknown[]>(
  ...parts: { [I in keyof T]: Loadable<T[I]> }
): Loadable<T> {
  const values = parts.map(valueOf)
  if (!values.includes(undefined)) return { state: 'ready', value: values as unknown as T, fresh: true }
  const failed = parts.find((part) => part.state === 'failed' && part.value === undefined)
  return failed?.state === 'failed' ? { state: 'failed', failure: failed.failure } : loading
}

/** A stream as an external store with its newest value, subscribed while it has listeners. */
export function createObservableStore<T>(source: Observable<T> | undefined, initial: T) {
  const listeners = new Set<() => void>()
  let value = newestOf(source) ?? initial
  let running: Subscription | undefined
  return {
    get: (): T => value,
    subscribe: (onChange: () => void): (() => void) => {
      listeners.add(onChange)
      running ??= source?.subscribe({
        next: (next) => {
          value = next
          for (const listener of listeners) listener()
        },
        // These streams do not fail; if one did, its last value would stay.
        error: () => undefined,
      })
      return () => {
        listeners.delete(onChange)
        if (listeners.size > 0) return
        running?.unsubscribe()
        running = undefined
      }
    },
  }
}

/** The newest value of a stream that replays, without subscribing; undefined if it has none. */
export const newestOf = <T>(source: Observable<T> | Replaying<T> | undefined): T | undefined =>
  source !== undefined && 'newest' in source ? source.newest() : undefined
