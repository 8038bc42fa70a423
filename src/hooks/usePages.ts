import { useCallback, useEffect, useReducer, useRef } from 'react'
import { assertNever } from '../../contract/brand.ts'
import type { Failure } from '../../streams/index.ts'
import type { Result } from '../api/result.ts'
import { useReconnect } from './useReconnect.ts'

export type PageOf<T> = { items: T[]; nextCursor: string | null }
/** Loads a page of a list; the first one without a cursor. */
export type LoadPage<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<Result<PageOf<T>>>

export type PagesState<T> = {
  items: readonly T[]
  /** Undefined before the first page, null at the end. */
  cursor: string | null | undefined
  loading: boolean
  failure: Failure | undefined
}
export type PagesAction<T> =
  | { kind: 'requested' }
  | { kind: 'first'; page: PageOf<T> }
  | { kind: 'more'; page: PageOf<T> }
  | { kind: 'failed'; failure: Failure }

export const noPages: PagesState<never> = { items: [], cursor: undefined, loading: true, failure: undefined }

/**
 * The reducer of a list that is newest first. A new first page is joined with the loaded items if they overlap, so that
 * a reader far down the list does not lose their place; otherwise the list starts over.
 */
export function reducePages<T extends { id: string }>(
  state: PagesState<T>,
  action: PagesAction<T>,
): PagesState<T> {
  switch (action.kind) {
    case 'requested':
      return { ...state, loading: true, failure: undefined }
    case 'failed':
      return { ...state, loading: false, failure: action.failure }
    case 'more':
      return {
        ...pageLoaded(action.page),
        items: [...state.items, ...excludeKnown(action.page.items, state.items)],
      }
    case 'first': {
      const { items } = action.page
      const last = items.at(-1)
      const seam = state.items.findIndex(({ id }) => id === last?.id)
      if (seam < 0) return { ...pageLoaded(action.page), items }
      const tail = state.items.slice(seam + 1)
      const cursor = tail.length === 0 ? action.page.nextCursor : state.cursor
      return { items: [...items, ...excludeKnown(tail, items)], cursor, loading: false, failure: undefined }
    }
    default:
      return assertNever(action)
  }
}

const pageLoaded = (page: PageOf<unknown>) => ({
  cursor: page.nextCursor,
  loading: false,
  failure: undefined,
})

function excludeKnown<T extends { id: string }>(items: readonly T[], known: readonly T[]): T[] {
  const ids = new Set(known.map(({ id }) => id))
  return items.filter(({ id }) => !ids.has(id))
}

/** Loads a list page by page, again after a reconnect. `load` must be stable; for another list, change the `key`. */
export function usePages<T extends { id: string }>(load: LoadPage<T>) {
  const [state, dispatch] = useReducer(reducePages<T>, noPages)
  const running = useRef<AbortController>(undefined)
  const fetchPage = useCallback(
    async (cursor: string | undefined) => {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      dispatch({ kind: 'requested' })
      const result = await load(cursor, controller.signal)
      if (controller.signal.aborted) return
      if (result.ok) dispatch({ kind: cursor === undefined ? 'first' : 'more', page: result.value })
      else dispatch({ kind: 'failed', failure: result.failure })
    },
    [load],
  )
  useEffect(() => {
    void fetchPage(undefined)
    return () => running.current?.abort()
  }, [fetchPage])
  const { cursor, loading } = state
  const reload = useCallback(() => void fetchPage(undefined), [fetchPage])
  useReconnect(reload)
  const more = useCallback(() => {
    if (!loading && typeof cursor === 'string') void fetchPage(cursor)
  }, [fetchPage, cursor, loading])
  const retry = useCallback(() => void fetchPage(cursor ?? undefined), [fetchPage, cursor])
  return { ...state, more, reload, retry }
}
