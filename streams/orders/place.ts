import { EMPTY, ReplaySubject, Subject, concat, defer, exhaustMap, from, merge, of, timer } from 'rxjs'
import type { Observable, ObservableInput, SchedulerLike } from 'rxjs'
import { catchError, distinctUntilChanged, filter, finalize, map, retry, share } from 'rxjs'
import { switchMap, takeUntil, takeWhile, tap, throwError, timeout } from 'rxjs'
import type { Order, PlaceRequest } from '../../contract/orders.ts'
import { failureOf, isTransient } from '../failure.ts'
import { emitIfLate } from '../operators/emitIfLate.ts'
import type { Failure, StoredPlacement, OrderDraft, PlacementStore, Orders, Placement } from '../types.ts'

/** An answer that takes longer is taken for lost, and the order is looked up by its key. */
export const placeTimeoutMs = 4000
/** How long the venue may still accept; the sheet tells it. With the pauses below, an outcome is known 10 s after a lost answer. */
export const placementValidMs = 5000
const lookupEveryMs = 1000
const lookupTimeoutMs = 3000

export type OrderPlacerParts = {
  place: (key: string, order: PlaceRequest) => ObservableInput<Order>
  orderByKey: (key: string) => ObservableInput<Order>
  placementStore: PlacementStore
  newKey: () => string
  /** The venue's time; 0 while it is not known. */
  now: () => number
  /** Unfinished intents are looked up again at each: a new connection may be a new session. */
  up$: Observable<boolean>
  scheduler: SchedulerLike
}
export type OrderPlacer = Pick<Orders, 'place' | 'resumed$'> & {
  /** Orders as placing found them, for lists that show them before the venue's own event. */
  accepted$: Observable<Order>
  close: () => void
}

/** Placing orders, told from the intent to its outcome: each intent has one, and has it once. */
export function createOrderPlacer(parts: OrderPlacerParts): OrderPlacer {
  const closed = new Subject<void>()
  const accepted = new Subject<Order>()
  const inFlight = new Map<string, Observable<Placement>>()
  const inFlightKeys = new Set<string>()

  const trackToOutcome = (key: string, placement$: Observable<Placement>): Observable<Placement> =>
    defer(() => {
      inFlightKeys.add(key)
      return placement$
    }).pipe(
      takeWhile((placement) => !isOutcome(placement), true),
      tap((placement) => {
        if (!isOutcome(placement)) return
        dropStored(parts.placementStore, key)
        if (placement.state === 'accepted') accepted.next(placement.order)
      }),
      takeUntil(closed),
      finalize(() => inFlightKeys.delete(key)),
    )

  // A double tap, or a second button for the same thing, is one order: it joins the one on its way.
  const place = (draft: OrderDraft): Observable<Placement> => {
    const draftKey = JSON.stringify([
      draft.productId,
      draft.direction,
      draft.amount,
      draft.seconds,
      draft.rateBp,
    ])
    const joined = inFlight.get(draftKey)
    if (joined) return joined
    const stored = { ...draft, key: parts.newKey(), validUntil: parts.now() + placementValidMs }
    const placements = new ReplaySubject<Placement>()
    inFlight.set(draftKey, placements.asObservable())
    // Started by the act, not by who watches: leaving the page must not leave an order without its end.
    trackToOutcome(stored.key, placement$(stored, parts))
      .pipe(finalize(() => inFlight.delete(draftKey)))
      .subscribe(placements)
    return placements.asObservable()
  }

  // What a reload, or the end of a session, cut off. Read anew each round, because another member may be here now.
  const rounds$ = merge(of(true), parts.up$).pipe(filter(Boolean))
  const resumed$ = rounds$.pipe(
    exhaustMap(() => {
      const unresolved = parts.placementStore.load().filter((intent) => !inFlightKeys.has(intent.key))
      return merge(...unresolved.map((intent) => trackToOutcome(intent.key, lookup$(intent, parts))))
    }),
    takeUntil(closed),
    share({ connector: () => new ReplaySubject<Placement>(20), resetOnRefCountZero: false }),
  )
  return {
    place,
    resumed$,
    accepted$: accepted.asObservable(),
    close: () => {
      closed.next()
      closed.complete()
      accepted.complete()
    },
  }
}

/** One intent, from keeping its key to the venue's answer; looked up by the key where the answer is lost. */
export function placement$(intent: StoredPlacement, parts: OrderPlacerParts): Observable<Placement> {
  const stored$ = defer(() => {
    // Without the venue's time there is no instant until which the order may fill.
    if (parts.now() === 0) return throwError((): Failure => ({ kind: 'offline' }))
    parts.placementStore.save(intent)
    return of<Placement>({ state: 'sending', intent })
  })
  const answer$ = defer(() => parts.place(intent.key, requestOf(intent))).pipe(
    map((order): Placement | 'lost' => ({ state: 'accepted', intent, order })),
    catchError((error: unknown) => of(answerOf(intent, failureOf(error)))),
    emitIfLate<Placement | 'lost'>(placeTimeoutMs, () => 'lost', parts.scheduler),
    distinctUntilChanged(),
  )
  const outcome$ = answer$.pipe(
    switchMap((answer) => (answer === 'lost' ? lookup$(intent, parts) : of(answer))),
  )
  return concat(stored$, outcome$).pipe(
    // Only what comes before the sending can fail here: the intent could not be kept, so nothing was sent.
    catchError((error: unknown) => of<Placement>({ state: 'rejected', intent, failure: failureOf(error) })),
  )
}

/** The answer is lost: asks by key until the order is found, or until it can no longer come to be. */
function lookup$(intent: StoredPlacement, parts: OrderPlacerParts): Observable<Placement> {
  const found$ = defer(() => parts.orderByKey(intent.key)).pipe(
    timeout({ first: lookupTimeoutMs, scheduler: parts.scheduler }),
    map((order): Placement => ({ state: 'accepted', intent, order })),
    catchError((error: unknown) => {
      const failure = failureOf(error)
      return isDefinitelyAbsent(failure, intent)
        ? of<Placement>({ state: 'expired', intent })
        : throwError(() => failure)
    }),
    retry({
      delay: (error: unknown) =>
        isLoggedOut(failureOf(error)) ? EMPTY : timer(lookupEveryMs, parts.scheduler),
    }),
  )
  const unknown$ = defer(() => of<Placement>({ state: 'unknown', intent, since: parts.now() }))
  return concat(unknown$, from(found$))
}

/** A rule's refusal is an outcome; anything that may have come after the effect is not. */
function answerOf(intent: StoredPlacement, failure: Failure): Placement | 'lost' {
  const isInFlight = failure.kind === 'rejected' && failure.code === 'IDEMPOTENCY_IN_FLIGHT'
  const isThrottled = failure.kind === 'rejected' && failure.status === 429
  return isInFlight || (isTransient(failure) && !isThrottled)
    ? 'lost'
    : { state: 'rejected', intent, failure }
}

/** Not there, and too late to come: the contract's final 404. */
const isDefinitelyAbsent = (failure: Failure, intent: StoredPlacement): boolean =>
  failure.kind === 'rejected' && failure.status === 404 && failure.at > intent.validUntil

/** Logged out meanwhile: the intent stays kept until its member is back. */
const isLoggedOut = (failure: Failure): boolean =>
  failure.kind === 'rejected' && (failure.status === 401 || failure.status === 403)

const isOutcome = (placement: Placement): boolean =>
  placement.state !== 'sending' && placement.state !== 'unknown'

const requestOf = ({
  productId,
  direction,
  amount,
  seconds,
  rateBp,
  validUntil,
}: StoredPlacement): PlaceRequest => ({
  productId,
  direction,
  amount,
  seconds,
  rateBp,
  validUntil,
})

/** A store that cannot forget makes a later look-up find the same outcome again; it must not undo this one. */
function dropStored(placementStore: PlacementStore, key: string): void {
  try {
    placementStore.drop(key)
  } catch {
    return
  }
}
