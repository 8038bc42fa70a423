import { concat, of, switchMap, timer } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable, OperatorFunction, SchedulerLike } from 'rxjs'
import { distinctUntilChanged, map } from 'rxjs'

/**
 * False at each sign of life, true once `silenceMs` passed without one. Says each only when it changes.
 * @param silenceMs how long a silence may last, in milliseconds
 */
export function markStale<T>(silenceMs: number, scheduler: SchedulerLike): OperatorFunction<T, boolean> {
  const silence$: Observable<boolean> = timer(silenceMs, scheduler).pipe(map(() => true))
  const changes: MonoTypeOperatorFunction<boolean> = distinctUntilChanged()
  return (signs$) =>
    signs$.pipe(
      switchMap(() => concat(of(false), silence$)),
      changes,
    )
}
