import { Observable } from 'rxjs'
import type { MonoTypeOperatorFunction, Subscription } from 'rxjs'
import { take } from 'rxjs'

/** The newest value once a frame; frames are only asked for while there is something to tell. */
export function perFrame<T>(frame$: Observable<unknown>): MonoTypeOperatorFunction<T> {
  return (source$) =>
    new Observable<T>((subscriber) => {
      let waiting: { value: T } | undefined
      let frame: Subscription | undefined
      const flush = (): void => {
        const newest = waiting
        waiting = undefined
        if (newest) subscriber.next(newest.value)
      }
      const source = source$.subscribe({
        next: (value) => {
          const asked = waiting !== undefined
          waiting = { value }
          if (!asked) frame = frame$.pipe(take(1)).subscribe(flush)
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => {
          flush()
          subscriber.complete()
        },
      })
      return () => {
        source.unsubscribe()
        frame?.unsubscribe()
      }
    })
}
