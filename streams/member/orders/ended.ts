import {
  EMPTY,
  bufferTime,
  catchError,
  concatMap,
  defer,
  delay,
  filter,
  from,
  map,
  merge,
  mergeMap,
  of,
  scan,
  startWith,
  tap,
  timeout,
  timer,
  type Observable,
  type ObservableInput,
  type SchedulerLike,
} from 'rxjs'
import { isFinal, type Order } from '../../../contract/orders.ts'
import { attempts$ } from '../../operators/attempts.ts'
import { perAccount } from '../../operators/perAccount.ts'
import { shareWithGrace } from '../../operators/shareWithGrace.ts'
import { isTransient } from '../../operators/failure.ts'
import type { SeenOpen } from '../../parts.ts'
import type { EndedOrder, Loadable } from '../../types.ts'

/** Of more the oldest are left out: subscribers have had them before. */
const endedMax = 100
/** An event about an order that left the list may still be on its way. */
const eventMs = 100
/** Orders looked up together are reported together, unless some take longer than this. */
const togetherMs = 5000
const lookupsAtOnce = 6
/** A device that does not answer has stored nothing. */
const storeTimeoutMs = 2000
const retainMs = 5000

export type EndedParts = {
  open$: Observable<Loadable<Order[]>>
  event$: Observable<Order>
  order: (id: string) => ObservableInput<Order>
  seenOpen: SeenOpen
  account$: Observable<unknown>
  monotonic: () => number
  scheduler: SchedulerLike
}

/** Stores nothing: of orders that ended while the app was not running it tells nothing. */
export const noMemory: SeenOpen = { load: () => of([]), add: () => undefined, forget: () => undefined }

/**
 * The member's orders that ended while this device followed them, in the order in which it learned of them: by the order's
 * event, or looked up because a fetched list of open orders lacks it. Starts over for another session.
 */
export function ended$(parts: EndedParts): Observable<readonly EndedOrder[]> {
  const { account$, monotonic, scheduler } = parts
  return perAccount(account$, () =>
    endedEach$(parts).pipe(
      scan((all: readonly EndedOrder[], orders) => {
        const noticedAt = monotonic()
        return [...all, ...orders.map((order) => ({ order, noticedAt }))].slice(-endedMax)
      }, []),
      startWith<readonly EndedOrder[]>([]),
    ),
  ).pipe(shareWithGrace(retainMs, scheduler))
}

/** Each order that ends, once; those that were looked up together come together. */
function endedEach$(parts: EndedParts): Observable<readonly Order[]> {
  return defer(() => {
    /** Seen open, and not known to have ended. */
    const known = new Set<string>()
    const ended = new Set<string>()
    const end = (orders: readonly Order[]): readonly Order[] => {
      const news = orders.filter(({ id }) => !ended.has(id))
      for (const { id } of orders) {
        ended.add(id)
        // Also for an order reported before: a list from before its end may have shown it open again.
        known.delete(id)
      }
      return news
    }
    const byEvent$ = parts.event$.pipe(
      filter((order) => isFinal(order.status)),
      map((order) => end([order])),
    )
    return merge(byEvent$, missed$(parts, known).pipe(map(end))).pipe(filter((orders) => orders.length > 0))
  })
}

/** Orders that ended without an event: those known to be open that a list of open orders lacks. */
function missed$(parts: EndedParts, known: Set<string>): Observable<readonly Order[]> {
  const { open$, seenOpen, scheduler } = parts
  const lookingUp = new Set<string>()
  let open = new Set<string>()
  const follow = (orders: readonly Order[]): void => {
    open = new Set(orders.map(({ id }) => id))
    const added = [...open].filter((id) => !known.has(id))
    for (const id of added) known.add(id)
    if (added.length > 0) seenOpen.add(added)
  }
  const missing = (): string[] => [...known].filter((id) => !open.has(id) && !lookingUp.has(id))
  const lookUp$ = (ids: readonly string[]): Observable<readonly Order[]> => {
    for (const id of ids) lookingUp.add(id)
    return from(ids).pipe(
      mergeMap(
        (id) => lookedUp$(id, parts, known).pipe(tap({ finalize: () => lookingUp.delete(id) })),
        lookupsAtOnce,
      ),
      bufferTime(togetherMs, null, Number.POSITIVE_INFINITY, scheduler),
      map((orders) => orders.sort((a, b) => endedAt(a) - endedAt(b))),
    )
  }
  const remembered$ = defer(() => seenOpen.load()).pipe(
    timeout({ first: storeTimeoutMs, scheduler }),
    catchError(() => of([])),
    tap((ids) => ids.forEach((id) => known.add(id))),
    // For another session the list has started over by then.
    delay(0, scheduler),
  )
  return remembered$.pipe(
    concatMap(() => open$),
    mergeMap((loadable) => {
      if (loadable.state !== 'ready' || !loadable.fresh) return EMPTY
      follow(loadable.value)
      return missing().length === 0 ? EMPTY : timer(eventMs, scheduler)
    }),
    mergeMap(() => lookUp$(missing())),
  )
}

const endedAt = ({ settledAt, closeAt }: Order): number => settledAt ?? closeAt

/** The order, if it has ended; else its event is yet to come. */
function lookedUp$(
  id: string,
  { order, seenOpen, scheduler }: EndedParts,
  known: Set<string>,
): Observable<Order> {
  return attempts$(() => order(id), scheduler).pipe(
    mergeMap((attempt) => {
      if ('value' in attempt) return isFinal(attempt.value.status) ? of(attempt.value) : EMPTY
      const { failure } = attempt
      if (isTransient(failure)) return EMPTY
      // Another member's, on a device that two of them share.
      if (failure.kind === 'rejected' && failure.status === 404 && known.delete(id)) seenOpen.forget([id])
      return EMPTY
    }),
  )
}
