import {
  NEVER,
  Subject,
  defer,
  distinctUntilChanged,
  finalize,
  from,
  merge,
  type Observable,
  type ObservableInput,
} from 'rxjs'
import type { ReloadPolicy } from './reloadPolicy.ts'
import { loadable$ } from '../operators/loadable.ts'
import { perAccount } from '../operators/perAccount.ts'
import { shareWithGrace } from '../operators/shareWithGrace.ts'
import { snapshotThen } from '../operators/snapshotThen.ts'
import type { Loadable, Resource, ResourceParts } from '../types.ts'

export type ResourceStreamParts<T, E> = {
  fetch: () => ObservableInput<T>
  event$: Observable<E>
  /** The value after an event; it must accept an event that the value already contains. */
  fold: (value: T, event: E) => T
  reloadPolicy: ReloadPolicy
  /** How long the value stays cached without a subscriber, in ms. */
  retainMs: number
  /** Further reasons to fetch; `retry` shows that it is loading if there is no value. */
  reload$?: Observable<'retry'>
  /** Called when nothing is cached any more. */
  onRelease?: () => void
}

/**
 * Data of a member: fetched, then updated by events, and fetched again when {@link Live} says so. Starts over for
 * another session.
 */
export function resource$<T, E>(parts: ResourceStreamParts<T, E>): Observable<Loadable<T>> {
  const { fetch, event$, fold, reloadPolicy, retainMs, reload$ = NEVER, onRelease } = parts
  const load = (): Observable<T> => snapshotThen(fetch, event$, fold).pipe(distinctUntilChanged())
  return perAccount(reloadPolicy.account$, () =>
    loadable$(merge(reloadPolicy.reload$, reload$), load, reloadPolicy.down$, reloadPolicy.scheduler),
  ).pipe(
    finalize(() => onRelease?.()),
    shareWithGrace(retainMs, reloadPolicy.scheduler),
  )
}

/** A resource of the app: {@link resource$} with the ways to change it from outside. */
export function createResource<T>(parts: ResourceParts<T>, reloadPolicy: ReloadPolicy): Resource<T> {
  const { isNewer = () => true, event$ = NEVER } = parts
  const puts = new Subject<T>()
  const reloads = new Subject<'retry'>()
  return {
    value$: resource$({
      fetch: () => fetched$(parts.fetch),
      event$: merge(event$, puts),
      fold: (known, next) => (isNewer(next, known) ? next : known),
      reloadPolicy,
      retainMs: 0,
      reload$: reloads,
    }),
    reload: () => reloads.next('retry'),
    put: (value) => puts.next(value),
  }
}

/** A call as a stream: unsubscribing aborts it. */
export const fetched$ = <T>(fetch: (signal: AbortSignal) => Promise<T>): Observable<T> =>
  defer(() => {
    const controller = new AbortController()
    return from(fetch(controller.signal)).pipe(finalize(() => controller.abort()))
  })
