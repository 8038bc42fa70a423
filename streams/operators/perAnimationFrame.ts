import { Observable } from 'rxjs'
import type { MonoTypeOperatorFunction, Subscription } from 'rxjs'
import { take } from 'rxjs'

/** The newest value once a frame; frames are only asked for while there is something to tell. */
export function perAnimationFrame<T>(animationFrame$: Observable<unknown>): MonoTypeOperatorFunction<T> {
  return (source$) =>
    new Observable<T>((subscriber) => {
      let waiting: { value: T } | undefined
      let pendingFrame: Subscription | undefined
      const publish = (): void => {
        const newest = waiting
        waiting = undefined
        if (newest) subscriber.next(newest.value)
      }
      const source = source$.subscribe({
        next: (value) => {
          const isScheduled = waiting !== undefined
          waiting = { value }
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
