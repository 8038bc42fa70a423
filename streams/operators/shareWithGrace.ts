import { ReplaySubject, share, timer } from 'rxjs'
import type { MonoTypeOperatorFunction, SchedulerLike } from 'rxjs'

/**
 * Shares one upstream and replays its newest value to late subscribers; released `graceMs` after the last one left.
 * Only for streams whose values say when they are outdated: the newest value is replayed unchanged.
 */
export function shareWithGrace<T>(graceMs: number, scheduler: SchedulerLike): MonoTypeOperatorFunction<T> {
  return share({
    connector: () => new ReplaySubject<T>(1),
    resetOnRefCountZero: () => timer(graceMs, scheduler),
  })
}
