import {
  EMPTY,
  defer,
  filter,
  map,
  merge,
  of,
  switchMap,
  timer,
  type Observable,
  type SchedulerLike,
} from 'rxjs'

/**
 * Why data is fetched: events are not replayed, so after a connect some may have been missed. `catchUp`: between a fetch
 * and the first connect.
 */
export type ReloadReason = 'connect' | 'catchUp' | 'resume'

/** When a member's data is fetched, outdated, and another member's; the same for all of it. */
export type ReloadPolicy = {
  /** Emits on subscription, after each connect (2 s after the first one) and on each resume. */
  reload$: Observable<ReloadReason>
  /** The wire went down: values may be outdated. */
  down$: Observable<unknown>
  /** Another session has taken over. */
  account$: Observable<unknown>
  scheduler: SchedulerLike
}

export type ReloadPolicyParts = {
  up$: Observable<boolean>
  resume$: Observable<unknown>
  account$: Observable<unknown>
  scheduler: SchedulerLike
}

/** The fetch after the first connect waits this long, ms: the first page's own is on its way, and would be aborted. */
const catchUpMs = 2000

export function createReloadPolicy({ up$, resume$, account$, scheduler }: ReloadPolicyParts): ReloadPolicy {
  return {
    reload$: merge(connects$(up$, scheduler), resume$.pipe(map((): ReloadReason => 'resume'))),
    down$: up$.pipe(filter((up) => !up)),
    account$,
    scheduler,
  }
}

const connects$ = (up$: Observable<boolean>, scheduler: SchedulerLike): Observable<ReloadReason> =>
  defer(() => {
    let wasUp = false
    return up$.pipe(
      switchMap((up, index): Observable<ReloadReason> => {
        const isFirstConnect = up && !wasUp
        wasUp ||= up
        if (index === 0) return of('connect')
        if (!up) return EMPTY
        return isFirstConnect ? timer(catchUpMs, scheduler).pipe(map(() => 'catchUp')) : of('connect')
      }),
    )
  })
