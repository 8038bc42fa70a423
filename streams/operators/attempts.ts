import { EMPTY, Observable, defer, map, retry, timer, type ObservableInput, type SchedulerLike } from 'rxjs'
import { backoffMs } from '../../contract/backoff.ts'
import { failureOf, isTransient } from './failure.ts'
import type { Failure } from '../types.ts'

/** A transient failure is retried after 1, 2, 4, 8, then every 15 seconds. */
const retryMinMs = 1000
const retryMaxMs = 15_000

/** The pause before the retry number `count`: it doubles from `minMs` up to 15 seconds. */
export const retryPause$ = (count: number, minMs: number, scheduler: SchedulerLike): Observable<unknown> =>
  timer(backoffMs(count, minMs, retryMaxMs), scheduler)

export type Attempt<T> = { value: T } | { failure: Failure }

/** The values of `source`, and each failure; it is tried again after a transient one, and ends after any other. */
export function attempts$<T>(
  source: () => ObservableInput<T>,
  scheduler: SchedulerLike,
): Observable<Attempt<T>> {
  return new Observable<Attempt<T>>((subscriber) => {
    const pauseOrGiveUp = (error: unknown, count: number): Observable<unknown> => {
      const failure = failureOf(error)
      subscriber.next({ failure })
      return isTransient(failure) ? retryPause$(count, retryMinMs, scheduler) : EMPTY
    }
    return defer(source)
      .pipe(
        map((value): Attempt<T> => ({ value })),
        retry({ delay: pauseOrGiveUp, resetOnSuccess: true }),
      )
      .subscribe(subscriber)
  })
}
