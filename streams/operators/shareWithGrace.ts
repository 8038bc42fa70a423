import { ReplaySubject, share, timer } from 'rxjs'
import type { MonoTypeOperatorFunction, SchedulerLike } from 'rxjs'

/**
 * One upstream for all, its newest value for those who come late, let go of `graceMs` after the last one left.
 * Only for streams that say themselves when their value grows old: the newest value is told again as it is.
 */
export function shareWithGrace<T>(graceMs: number, scheduler: SchedulerLike): MonoTypeOperatorFunction<T> {
  return share({
    connector: () => new ReplaySubject<T>(1),
    resetOnRefCountZero: () => timer(graceMs, scheduler),
  })
}
