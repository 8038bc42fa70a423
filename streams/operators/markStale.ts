import { Observable, Subscription, type OperatorFunction, type SchedulerLike } from 'rxjs'

/**
 * False at each emission of the source, true after `silenceMs` without one. Emits only changes. Each emission starts its
 * timer again, which takes less than operators that start: a replayed day has as many as seconds.
 * @param silenceMs how long a silence may last, in milliseconds
 * @param graceMs the last part of it, timed by itself: on a page that was blocked, the timer that is overdue fires before
 *   the messages that have arrived, and this leaves time to read them
 */
export function markStale<T>(
  silenceMs: number,
  scheduler: SchedulerLike,
  graceMs = 250,
): OperatorFunction<T, boolean> {
  return (source$) =>
    new Observable<boolean>((subscriber) => {
      let stale: boolean | undefined
      let isEnded = false
      let timer = Subscription.EMPTY
      const emit = (next: boolean): void => {
        if (next === stale) return
        stale = next
        subscriber.next(next)
      }
      const wait = (ms: number, then: () => void): void => {
        timer = subscriber.closed ? Subscription.EMPTY : scheduler.schedule(then, ms)
      }
      const silent = (): void => {
        emit(true)
        if (isEnded) subscriber.complete()
      }
      subscriber.add(() => timer.unsubscribe())
      subscriber.add(
        source$.subscribe({
          next: () => {
            timer.unsubscribe()
            emit(false)
            wait(silenceMs - graceMs, () => wait(graceMs, silent))
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => {
            isEnded = true
            if (stale !== false) subscriber.complete()
          },
        }),
      )
    })
}
