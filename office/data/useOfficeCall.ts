import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import type { Route, RouteAnswer, RouteInput } from '../../contract/route.ts'
import { answerOf } from '../../src/api/result.ts'
import type { Failure } from '../../streams/index.ts'
import { call } from '../api.ts'

/*
 * How a screen reads. The office has no socket, so nothing is pushed: an answer is kept under its call and input, shown at
 * once when a screen opens again, and asked again when it is older than two seconds, when the window gets the focus, every
 * `everyMs`, and after each act (useRun.ts). TanStack Query does that. The members' app has the streams instead
 * (src/hooks/README.md): their data come as events, and are theirs alone.
 */
type Options = {
  /** Not asked while false. */
  enabled?: boolean
  /** Asked again this often while the page is visible. */
  everyMs?: number
  /**
   * Never shown from an earlier opening, however new that answer is, and asked again every 15 seconds while the page is
   * visible: what decides a request may have changed since.
   */
  alwaysFresh?: boolean
  /** It cannot change, so it is asked once. */
  isFinal?: boolean
}

/** How often what decides an open request is asked again. */
export const freshMs = 15_000

const keyOf = (route: Route, input: unknown): unknown[] => [route.method, route.path, input]

/** What a call answers, kept and asked again when stale. `failure` is why there is nothing new. */
export const useOfficeCall = <R extends Route>(route: R, input: RouteInput<R>, options?: Options) =>
  useRead(
    keyOf(route, input),
    (signal) => answerOf(call(route, input, { signal })) as Promise<RouteAnswer<R>>,
    options,
  )

/** Like {@link useOfficeCall} for what takes several calls. `load` rejects with a failure. */
export function useRead<T>(
  key: readonly unknown[],
  load: (signal: AbortSignal) => Promise<T>,
  { enabled = true, alwaysFresh = false, everyMs = alwaysFresh ? freshMs : undefined, isFinal = false }: Options = {},
) {
  const opening = useId()
  const query = useQuery({
    queryKey: alwaysFresh ? [...key, opening] : key,
    queryFn: ({ signal }) => load(signal),
    enabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(alwaysFresh ? { gcTime: 0 } : {}),
    ...(isFinal ? { staleTime: Number.POSITIVE_INFINITY } : {}),
  })
  return {
    data: query.data,
    failure: (query.error ?? undefined) as Failure | undefined,
    isLoading: query.isPending && enabled,
    isReading: query.isFetching,
    reload: query.refetch,
  }
}

type Page<T> = { items: T[]; nextCursor: string | null }
export type ListRoute = Route & { method: 'GET' }
export type ItemOf<R extends Route> = RouteAnswer<R> extends Page<infer T> ? T : never

type Pages = { state: { data: { pages: readonly unknown[] } | undefined } }

/** All pages are asked again, one after the other: the more there are, the less often. */
const intervalOf = ({ state }: Pages, everyMs: number): number =>
  everyMs * Math.max(1, state.data?.pages.length ?? 1)

/** A list of the venue, page by page. */
export function useOfficeList<R extends ListRoute>(
  route: R,
  input: { params?: Record<string, string>; query?: Record<string, string | undefined> },
  { enabled = true, everyMs }: Options = {},
) {
  type Item = ItemOf<R>
  const query = useInfiniteQuery({
    queryKey: keyOf(route, input),
    queryFn: ({ signal, pageParam }) => {
      const asked = { limit: '50', ...input.query, ...(pageParam === null ? {} : { cursor: pageParam }) }
      const whole = { ...input, query: asked } as unknown as RouteInput<R>
      return answerOf(call(route, whole, { signal })) as unknown as Promise<Page<Item>>
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled,
    ...(everyMs === undefined ? {} : { refetchInterval: (asked: Pages) => intervalOf(asked, everyMs) }),
  })
  return {
    items: query.data?.pages.flatMap(({ items }) => items) ?? [],
    /** The first page, which says more than the others. */
    first: query.data?.pages[0] as RouteAnswer<R> | undefined,
    isRead: query.data !== undefined,
    failure: (query.error ?? undefined) as Failure | undefined,
    isLoading: query.isPending && enabled,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    more: () => void query.fetchNextPage(),
    reload: query.refetch,
  }
}

/** Asks everything on screen again, after something was changed. */
export function useRefreshAll(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries()
}
