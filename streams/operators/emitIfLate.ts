import { Observable, timer, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs'

/**
 * Emits `late()` once if there is no value after `dueMs`; a later value is still emitted.
 * @param dueMs how long the first value may take, in milliseconds
 */
export function emitIfLate<T>(
  dueMs: number,
  late: () => T,
  scheduler: SchedulerLike,
): MonoTypeOperatorFunction<T> {
  return (source$) =>
    new Observable<T>((subscriber) => {
      const due = timer(dueMs, scheduler).subscribe(() => subscriber.next(late()))
      subscriber.add(due)
      subscriber.add(
        source$.subscribe({
          next: (value) => {
            due.unsubscribe()
            subscriber.next(value)
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => subscriber.complete(),
        }),
      )
    })
}
