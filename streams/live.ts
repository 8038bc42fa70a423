import { filter, map, merge } from 'rxjs'
import type { Observable, SchedulerLike } from 'rxjs'

/** Why data is fetched: events are not replayed, so after a connect some may have been missed. */
export type ReloadReason = 'connect' | 'resume'

/** When a member's data is fetched, outdated, and another member's; the same for all of it. */
export type Live = {
  /** Emits on subscription, after each connect and on each resume. */
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

export function createLive({ up$, resume$, account$, scheduler }: LiveParts): Live {
  const connect$ = up$.pipe(filter((up, index) => up || index === 0))
  return {
    reload$: merge(
      connect$.pipe(map((): ReloadReason => 'connect')),
      resume$.pipe(map((): ReloadReason => 'resume')),
    ),
    down$: up$.pipe(filter((up) => !up)),
    account$,
    scheduler,
  }
}
