import {
  concat,
  ignoreElements,
  of,
  switchMap,
  timer,
  distinctUntilChanged,
  map,
  type MonoTypeOperatorFunction,
  type Observable,
  type OperatorFunction,
  type SchedulerLike,
} from 'rxjs'

/**
 * False at each emission of the source, true after `silenceMs` without one. Emits only changes.
 * @param silenceMs how long a silence may last, in milliseconds
 * @param graceMs the last part of it, timed by itself: on a page that was blocked, the timer that is overdue fires before
 *   the messages that have arrived, and this leaves time to read them
 */
export function markStale<T>(
  silenceMs: number,
  scheduler: SchedulerLike,
  graceMs = 250,
): OperatorFunction<T, boolean> {
  const silence$: Observable<boolean> = concat(
    timer(silenceMs - graceMs, scheduler).pipe(ignoreElements()),
    timer(graceMs, scheduler).pipe(map(() => true)),
  )
  const changes: MonoTypeOperatorFunction<boolean> = distinctUntilChanged()
  return (source$) =>
    source$.pipe(
      switchMap(() => concat(of(false), silence$)),
      changes,
    )
}
