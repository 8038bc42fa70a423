import { Observable, tap } from 'rxjs'

/**
 * The same streams, whose observables are counted while they have a subscriber: those in it, in its parts, and those
 * that its functions return.
 * @param onEmit before a subscriber is called
 */
export function watched<T extends object>(
  streams: T,
  onEmit: () => void,
): { streams: T; isWatched: () => boolean } {
  let subscribed = 0
  const counted = (source: Observable<unknown>): Observable<unknown> =>
    new Proxy(source, {
      get: (target, key, receiver) => {
        if (key !== 'subscribe') return Reflect.get(target, key, receiver) as unknown
        return (...observer: Parameters<typeof target.subscribe>) => {
          subscribed++
          const [call] = observer
          const subscription =
            observer.length === 1 && typeof call === 'function'
              ? target.subscribe((value) => {
                  onEmit()
                  call(value)
                })
              : target.pipe(tap(onEmit)).subscribe(...observer)
          subscription.add(() => subscribed--)
          return subscription
        }
      },
    })
  const watch = (value: unknown): unknown => {
    if (value instanceof Observable) return counted(value)
    if (typeof value === 'function') return (...args: unknown[]) => watch(value(...args))
    return hasStreams(value) ? watchParts(value) : value
  }
  const watchParts = <P extends object>(parts: P): P => {
    const known = new Map<string | symbol, unknown>()
    return new Proxy(parts, {
      get: (target, key) => {
        if (!known.has(key)) {
          const value = Reflect.get(target, key) as unknown
          const seen = watch(value)
          // A plain value may be another one at the next time.
          if (seen === value) return value
          known.set(key, seen)
        }
        return known.get(key)
      },
    })
  }
  return { streams: watchParts(streams), isWatched: () => subscribed > 0 }
}

/** Whether it is a plain object of which a part is an observable. */
const hasStreams = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  Object.values(value).some((part) => part instanceof Observable)
