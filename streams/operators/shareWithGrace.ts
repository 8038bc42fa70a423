import { ReplaySubject, finalize, share, tap, timer, type Observable, type SchedulerLike } from 'rxjs'
import type { Replaying } from '../types.ts'

/**
 * Shares one upstream and replays its newest value to late subscribers; released `graceMs` after the last one left.
 * Only for streams whose values say when they are outdated: the newest value is replayed unchanged.
 */
export const shareWithGrace =
  <T>(graceMs: number, scheduler: SchedulerLike) =>
  (source$: Observable<T>): Replaying<T> => {
    let newest: T | undefined
    const shared$ = source$.pipe(
      tap((value) => (newest = value)),
      finalize(() => (newest = undefined)),
      share({
        connector: () => new ReplaySubject<T>(1),
        resetOnRefCountZero: () => timer(graceMs, scheduler),
      }),
    )
    return Object.assign(shared$, { newest: () => newest })
  }
