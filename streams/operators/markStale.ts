import { concat, of, switchMap, timer } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable, OperatorFunction, SchedulerLike } from 'rxjs'
import { distinctUntilChanged, map } from 'rxjs'

/**
 * False at each emission of the source, true after `silenceMs` without one. Emits only changes.
 * @param silenceMs how long a silence may last, in milliseconds
 */
export function markStale<T>(silenceMs: number, scheduler: SchedulerLike): OperatorFunction<T, boolean> {
  const silence$: Observable<boolean> = timer(silenceMs, scheduler).pipe(map(() => true))
  const changes: MonoTypeOperatorFunction<boolean> = distinctUntilChanged()
  return (source$) =>
    source$.pipe(
      switchMap(() => concat(of(false), silence$)),
      changes,
    )
}
