import {
  BehaviorSubject,
  EMPTY,
  ReplaySubject,
  Subject,
  concat,
  defer,
  exhaustMap,
  from,
  merge,
  of,
  timer,
  catchError,
  distinctUntilChanged,
  filter,
  finalize,
  map,
  mergeMap,
  retry,
  share,
  switchMap,
  takeUntil,
  takeWhile,
  tap,
  throwError,
  timeout,
  type Observable,
  type ObservableInput,
  type SchedulerLike,
} from 'rxjs'
import { epochMs } from '../../../contract/units.ts'
import type { Order, PlaceRequest } from '../../../contract/orders.ts'
import { failureOf, isTransient } from '../../operators/failure.ts'
import { emitIfLate } from '../../operators/emitIfLate.ts'
import type { PlacementStore } from '../../parts.ts'
import type { Failure, StoredPlacement, OrderDraft, Orders, Placement } from '../../types.ts'

/** An answer that takes longer counts as lost, and the order is looked up by its key. */
export const placeTimeoutMs = 4000
/** How long the venue may accept the order; shown on the sheet. An outcome is known at most 10 s after a lost answer. */
export const placementValidMs = 5000
const lookupEveryMs = 1000
const lookupTimeoutMs = 3000

export type OrderPlacerParts = {
  place: (key: string, order: PlaceRequest, openedFor: string | undefined) => ObservableInput<Order>
  orderByKey: (key: string) => ObservableInput<Order>
  /** The venue's events about the member's orders. */
  event$: Observable<Order>
  placementStore: PlacementStore
  newKey: () => string
  /** The venue's time; 0 while it is unknown. */
  now: () => number
  /** Unresolved intents are looked up again after each connect, because it may be a new session. */
  up$: Observable<boolean>
  /** Emits when another session takes over. */
  account$: Observable<unknown>
  scheduler: SchedulerLike
}
export type OrderPlacer = Pick<Orders, 'place' | 'outcome$' | 'resumed$'> & {
  /** Accepted orders, for lists that show them before the venue's event. */
  accepted$: Observable<Order>
  close: () => void
}

/**
 * Places orders and follows each intent to its outcome; each intent has exactly one. Starts over for another session: an
 * answer to the one before is not its order, and the intent stays stored until its member is back.
 */
export function createOrderPlacer(parts: OrderPlacerParts): OrderPlacer {
  const current = new BehaviorSubject(createSessionPlacer(parts))
  const ofCurrent = <T>(streamOf: (placer: OrderPlacer) => Observable<T>): Observable<T> =>
    current.pipe(switchMap(streamOf))
  const watching = parts.account$.subscribe(() => {
    current.value.close()
    current.next(createSessionPlacer(parts))
  })
  return {
    place: (draft) => current.value.place(draft),
    outcome$: ofCurrent(({ outcome$ }) => outcome$),
    resumed$: ofCurrent(({ resumed$ }) => resumed$),
    accepted$: ofCurrent(({ accepted$ }) => accepted$),
    close: () => {
      watching.unsubscribe()
      current.value.close()
      current.complete()
    },
  }
}

function createSessionPlacer(parts: OrderPlacerParts): OrderPlacer {
  const closed = new Subject<void>()
  const outcomes = new Subject<Placement>()
  // The part that tells them may load later than the page that placed the order.
  const told = keptUntilTaken<Placement>()
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
        told.next(placement)
        outcomes.next(placement)
      }),
      takeUntil(closed),
      finalize(() => inFlightKeys.delete(key)),
    )

  // A double tap, or a second button for the same order, joins the request in flight.
  const place = (draft: OrderDraft): Observable<Placement> => {
    const draftKey = JSON.stringify([
      draft.productId,
      draft.direction,
      draft.amount,
      draft.seconds,
      draft.rateBp,
      draft.openedFor,
    ])
    const joined = inFlight.get(draftKey)
    if (joined) return joined
    const stored = { ...draft, key: parts.newKey(), validUntil: parts.now() + placementValidMs }
    const placements = new ReplaySubject<Placement>()
    inFlight.set(draftKey, placements.asObservable())
    // Runs without subscribers: leaving the page must not leave an order without an outcome.
    trackToOutcome(stored.key, placement$(stored, parts))
      .pipe(finalize(() => inFlight.delete(draftKey)))
      .subscribe(placements)
    return placements.asObservable()
  }

  // Intents that a reload or the end of a session interrupted. A lookup without a session is repeated in the next round.
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
    outcome$: told.value$,
    resumed$,
    accepted$: outcomes.pipe(mergeMap((outcome) => (outcome.state === 'accepted' ? [outcome.order] : []))),
    close: () => {
      closed.next()
      closed.complete()
      told.complete()
      outcomes.complete()
    },
  }
}

/** A subject that keeps its values for its first subscriber. */
function keptUntilTaken<T>() {
  const values = new Subject<T>()
  const kept: T[] = []
  return {
    value$: defer(() => concat(kept.splice(0), values)),
    next: (value: T): void => {
      if (values.observed) values.next(value)
      else kept.push(value)
    },
    complete: () => values.complete(),
  }
}

/** Stores the intent, sends it and emits the venue's answer; if the answer is lost, looks it up by key. */
export function placement$(intent: StoredPlacement, parts: OrderPlacerParts): Observable<Placement> {
  const stored$ = defer(() => {
    // Without the venue's time `validUntil` cannot be set.
    if (parts.now() === 0) return throwError((): Failure => ({ kind: 'offline' }))
    parts.placementStore.save(intent)
    return of<Placement>({ state: 'sending', intent })
  })
  const answer$ = defer(() => parts.place(intent.key, requestOf(intent), intent.openedFor)).pipe(
    map((order): Placement | 'lost' => ({ state: 'accepted', intent, order })),
    catchError((error: unknown) => of(answerOf(intent, failureOf(error)))),
    emitIfLate<Placement | 'lost'>(placeTimeoutMs, () => 'lost', parts.scheduler),
    distinctUntilChanged(),
  )
  // An event about the order may come before its answer is given up.
  const events = new ReplaySubject<Order>(1)
  const outcome$ = answer$.pipe(
    switchMap((answer) => (answer === 'lost' ? lookup$(intent, parts, events) : of(answer))),
  )
  return defer(() => {
    const watching = ownEvents$(intent, parts).subscribe(events)
    return concat(stored$, outcome$).pipe(finalize(() => watching.unsubscribe()))
  }).pipe(
    // Only storing the intent can fail here, so nothing was sent.
    catchError((error: unknown) => of<Placement>({ state: 'rejected', intent, failure: failureOf(error) })),
  )
}

const ownEvents$ = ({ key }: StoredPlacement, { event$ }: OrderPlacerParts): Observable<Order> =>
  event$.pipe(filter((order) => order.key === key))

/**
 * The answer is lost: waits for an event about the order, and looks up by key until the order is found or can no longer be
 * placed.
 */
function lookup$(
  intent: StoredPlacement,
  parts: OrderPlacerParts,
  events$ = ownEvents$(intent, parts),
): Observable<Placement> {
  const result$ = defer(() => parts.orderByKey(intent.key)).pipe(
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
  const lookedUp = new Subject<void>()
  const event$ = events$.pipe(
    map((order): Placement => ({ state: 'accepted', intent, order })),
    takeUntil(lookedUp),
  )
  return merge(event$, concat(unknown$, from(result$)).pipe(finalize(() => lookedUp.next()))).pipe(
    takeWhile((placement) => !isOutcome(placement), true),
  )
}

/** A rejection is an outcome; an error after which the order may exist is not. */
function answerOf(intent: StoredPlacement, failure: Failure): Placement | 'lost' {
  const isInFlight = failure.kind === 'rejected' && failure.code === 'IDEMPOTENCY_IN_FLIGHT'
  const isThrottled = failure.kind === 'rejected' && failure.status === 429
  return isInFlight || (isTransient(failure) && !isThrottled)
    ? 'lost'
    : { state: 'rejected', intent, failure }
}

/** A final 404: there is no order, and it is too late for one. */
const isDefinitelyAbsent = (failure: Failure, intent: StoredPlacement): boolean =>
  failure.kind === 'rejected' && failure.status === 404 && failure.at > intent.validUntil

/** Logged out meanwhile: the intent stays stored until its member is back. */
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
  validUntil: epochMs(validUntil),
})

/** If the store fails to drop the key, a later lookup finds the same outcome again; it must not undo this one. */
function dropStored(placementStore: PlacementStore, key: string): void {
  try {
    placementStore.drop(key)
  } catch {
    return
  }
}
