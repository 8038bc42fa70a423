import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Route, RouteAnswer, RouteInput } from '../../contract/route.ts'
import { answerOf } from '../../src/api/result.ts'
import type { Failure } from '../../streams/index.ts'
import { call } from '../api.ts'

type Options = {
  /** Not asked while false. */
  enabled?: boolean
  /** Asked again this often while the page is visible. */
  everyMs?: number
}

const keyOf = (route: Route, input: unknown): unknown[] => [route.method, route.path, input]

/** What a call answers, kept and asked again when stale. `failure` is why there is nothing new. */
export function useDesk<R extends Route>(
  route: R,
  input: RouteInput<R>,
  { enabled = true, everyMs }: Options = {},
) {
  const query = useQuery({
    queryKey: keyOf(route, input),
    queryFn: ({ signal }) => answerOf(call(route, input, { signal })) as Promise<RouteAnswer<R>>,
    enabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  })
  return {
    data: query.data,
    failure: (query.error ?? undefined) as Failure | undefined,
    isLoading: query.isPending && enabled,
    reload: query.refetch,
  }
}

type Page<T> = { items: T[]; nextCursor: string | null }
export type ListRoute = Route & { method: 'GET' }
export type ItemOf<R extends Route> = RouteAnswer<R> extends Page<infer T> ? T : never

/** A list of the venue, page by page. */
export function useDeskList<R extends ListRoute>(
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
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  })
  return {
    items: query.data?.pages.flatMap(({ items }) => items) ?? [],
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
