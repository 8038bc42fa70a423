import type { ListState, Loadable, PageOf, PagedList } from '../../streams/index.ts'
import { useObservable } from './useObservable.ts'

const emptyList: ListState<never> = { items: [], cursor: undefined, loading: true, failure: undefined }

/** The state of a list of the streams; empty and loading without one. */
export const useListState = <T>(list: Pick<PagedList<T>, 'state$'> | undefined): ListState<T> =>
  useObservable<ListState<T>>(list?.state$, emptyList)

/** A list's loaded pages as one value: loading until the first, or failed. */
export function loadableOf<T>({ items, cursor, failure }: ListState<T>): Loadable<PageOf<T>> {
  if (cursor !== undefined) return { state: 'ready', value: { items, nextCursor: cursor }, fresh: true }
  return failure === undefined ? { state: 'loading' } : { state: 'failed', failure }
}

/**
 * A list's items as one value. Without items it is loading or failed, even if it was empty before: whether it still is has
 * to be asked.
 */
export function itemsOf<T>({ items, loading, failure }: ListState<T>): Loadable<readonly T[]> {
  if (items.length > 0) return { state: 'ready', value: items, fresh: true }
  if (failure !== undefined) return { state: 'failed', failure }
  return loading ? { state: 'loading' } : { state: 'ready', value: items, fresh: true }
}
