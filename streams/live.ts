import { defer, filter, map, merge, of, switchMap, timer } from 'rxjs'
import type { Observable, SchedulerLike } from 'rxjs'

/** Why data is fetched: events are not replayed, so after a connect some may have been missed. */
export type ReloadReason = 'connect' | 'resume'

/** When a member's data is fetched, outdated, and another member's; the same for all of it. */
export type Live = {
  /** Emits on subscription, after each connect (the first one 2 s after the subscription) and on each resume. */
  reload$: Observable<ReloadReason>
  /** The wire went down: values may be outdated. */
  down$: Observable<unknown>
  /** Another session has taken over. */
  account$: Observable<unknown>
  scheduler: SchedulerLike
}

export type LiveParts = {
  up$: Observable<boolean>
  resume$: Observable<unknown>
  account$: Observable<unknown>
  scheduler: SchedulerLike
}

/**
 * Something may have changed between a fetch and the connect that follows it. The second fetch comes this long after the
 * first one, ms, so that it neither aborts it nor delays the first page.
 */
const fetchGapMs = 2000

export function createLive({ up$, resume$, account$, scheduler }: LiveParts): Live {
  return {
    reload$: merge(
      connects$(up$, scheduler).pipe(map((): ReloadReason => 'connect')),
      resume$.pipe(map((): ReloadReason => 'resume')),
    ),
    down$: up$.pipe(filter((up) => !up)),
    account$,
    scheduler,
  }
}

/** Emits on subscription and after each connect: at once, unless the subscription was still waiting for its first one. */
const connects$ = (up$: Observable<boolean>, scheduler: SchedulerLike): Observable<unknown> =>
  defer(() => {
    const secondFetchAt = scheduler.now() + fetchGapMs
    let isConnected = false
    return up$.pipe(
      filter((up, index) => up || index === 0),
      switchMap((up, index) => {
        const isFirstConnect = up && !isConnected && index > 0
        isConnected ||= up
        const waitMs = isFirstConnect ? secondFetchAt - scheduler.now() : 0
        return waitMs > 0 ? timer(waitMs, scheduler) : of(0)
      }),
    )
  })
