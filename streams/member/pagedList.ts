import {
  NEVER,
  Subject,
  concat,
  defer,
  merge,
  of,
  scan,
  switchMap,
  catchError,
  distinctUntilChanged,
  map,
  startWith,
  tap,
  type Observable,
} from 'rxjs'
import { failureOf } from '../operators/failure.ts'
import { emptyList, reduceList, type ListAction, type ListMemory } from './listState.ts'
import type { ReloadPolicy } from './reloadPolicy.ts'
import { attempts$ } from '../operators/attempts.ts'
import { perAccount } from '../operators/perAccount.ts'
import { shareWithGrace } from '../operators/shareWithGrace.ts'
import { fetched$ } from './resource.ts'
import type { ListState, PagedList, PagedListParts } from '../types.ts'

type PageRequest = { kind: 'first'; keepTail: boolean } | { kind: 'more'; cursor: string }

/** A {@link PagedList} with what its owner in `streams/` needs besides. */
export type OwnPagedList<T> = PagedList<T> & {
  currentItems: () => readonly T[]
  /** Loads the first page again and drops everything else. */
  startOver: () => void
}

/**
 * A list of the member's records: page by page, updated by events, loaded again when {@link Live} says so. A newer
 * request cancels an older one. A first page that fails for the moment is retried.
 * @param retainMs how long the list stays cached without a subscriber, in ms
 */
export function pagedList<T extends { id: string }>(
  parts: PagedListParts<T>,
  reloadPolicy: ReloadPolicy,
  retainMs = 0,
): OwnPagedList<T> {
  const requests = new Subject<PageRequest>()
  const upserts = new Subject<readonly T[]>()
  let current: ListMemory<T> = emptyList
  let last: PageRequest = { kind: 'first', keepTail: true }
  const event$ = (parts.event$ ?? NEVER).pipe(map((item) => [item]))
  // A connect may have missed changes of items below the first page; items that never change stay right.
  const reload$ = reloadPolicy.reload$.pipe(
    map((reason): PageRequest => ({
      kind: 'first',
      keepTail: reason !== 'connect' || parts.isNewer === undefined,
    })),
  )

  const startOver = (): void => requests.next({ kind: 'first', keepTail: false })
  const remember = (state: ListMemory<T>): void => {
    current = state
    const { itemsMax = Number.POSITIVE_INFINITY } = parts
    // Later, because this state is still on its way to the subscribers.
    if (state.items.length > itemsMax && !state.loading) queueMicrotask(startOver)
  }
  const start = (): Observable<ListState<T>> => {
    const received$ = merge(event$, upserts).pipe(
      map((items): ListAction<T> => ({ kind: 'received', items })),
    )
    const loads$ = merge(reload$, requests).pipe(
      tap((request) => (last = request)),
      switchMap((request) => load$(parts, request, reloadPolicy)),
    )
    return merge(received$, loads$).pipe(
      scan<ListAction<T>, ListMemory<T>>((state, action) => reduceList(parts, state, action), emptyList),
      startWith<ListMemory<T>>(emptyList),
      tap(remember),
      distinctUntilChanged(isSameList),
    )
  }
  return {
    state$: perAccount(reloadPolicy.account$, () => defer(start)).pipe(
      shareWithGrace(retainMs, reloadPolicy.scheduler),
    ),
    more: () => {
      if (!current.loading && typeof current.cursor === 'string')
        requests.next({ kind: 'more', cursor: current.cursor })
    },
    retry: () => requests.next(last),
    reload: () => requests.next({ kind: 'first', keepTail: true }),
    upsert: (...items) => upserts.next(items),
    currentItems: () => current.items,
    startOver,
  }
}

function load$<T>(
  parts: PagedListParts<T>,
  request: PageRequest,
  reloadPolicy: ReloadPolicy,
): Observable<ListAction<T>> {
  const cursor = request.kind === 'first' ? undefined : request.cursor
  const page$ = (): Observable<Awaited<ReturnType<typeof parts.load>>> =>
    fetched$((signal) => parts.load(cursor, signal))
  const failed = (failure: ReturnType<typeof failureOf>): ListAction<T> => ({ kind: 'failed', failure })
  const result$ =
    request.kind === 'first'
      ? attempts$(page$, reloadPolicy.scheduler).pipe(
          map((attempt): ListAction<T> =>
            'failure' in attempt
              ? failed(attempt.failure)
              : { kind: 'first', page: attempt.value, keepTail: request.keepTail },
          ),
        )
      : page$().pipe(
          map((page): ListAction<T> => ({ kind: 'more', page })),
          catchError((error: unknown) => of(failed(failureOf(error)))),
        )
  return concat(of<ListAction<T>>({ kind: 'requested' }), result$)
}

const isSameList = <T>(a: ListState<T>, b: ListState<T>): boolean =>
  a.items === b.items && a.cursor === b.cursor && a.loading === b.loading && a.failure === b.failure
