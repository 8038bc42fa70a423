import { Observable } from 'rxjs'
import type { MonoTypeOperatorFunction, Subscription } from 'rxjs'
import { take } from 'rxjs'

/** Emits the newest value once per animation frame; a frame is only requested while there is a value to emit. */
export function perAnimationFrame<T>(animationFrame$: Observable<unknown>): MonoTypeOperatorFunction<T> {
  return (source$) =>
    new Observable<T>((subscriber) => {
      let pending: { value: T } | undefined
      let pendingFrame: Subscription | undefined
      const publish = (): void => {
        const newest = pending
        pending = undefined
        if (newest) subscriber.next(newest.value)
      }
      const source = source$.subscribe({
        next: (value) => {
          const isScheduled = pending !== undefined
          pending = { value }
          if (!isScheduled) pendingFrame = animationFrame$.pipe(take(1)).subscribe(publish)
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => {
          publish()
          subscriber.complete()
        },
      })
      return () => {
        source.unsubscribe()
        pendingFrame?.unsubscribe()
      }
    })
}
