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
