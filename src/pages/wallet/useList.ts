import { useCallback, useEffect, useReducer, useRef } from 'react'
import type { MemberEvent } from '../../../contract/socket.ts'
import type { Result } from '../../api/result.ts'
import { useReconnect } from '../../hooks/useReconnect.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { emptyList, reduceList } from './list.ts'
import type { ListAction, ListRules, ListState } from './list.ts'

const pageSize = '30'

export type ListPage = { limit: string; cursor?: string }
export type ListSource<T> = ListRules<T> & {
  load: (page: ListPage, signal: AbortSignal) => Promise<Result<{ items: T[]; nextCursor: string | null }>>
  event: MemberEvent
  /** Parses an event's payload; undefined if it is invalid. */
  read: (data: unknown) => T | undefined
}
export type List<T> = ListState<T> & {
  more: () => void
  /** Repeats the failed request. */
  retry: () => void
  /** Inserts or updates an item from an own request's answer. */
  upsert: (item: T) => void
}

/**
 * A list of the member's records: page by page, patched by events, and loaded again after each reconnect. `source`
 * must be stable; a new source needs a new list, so give the calling component a key.
 */
export function useList<T extends { id: string }>(source: ListSource<T>): List<T> {
  const { event$ } = useStreams()
  const fold = useCallback(
    (state: ListState<T>, action: ListAction<T>) => reduceList(source, state, action),
    [source],
  )
  const [state, dispatch] = useReducer(fold, emptyList)
  const currentRequest = useRef<AbortController>(undefined)

  const load = useCallback(
    async (cursor: string | undefined) => {
      currentRequest.current?.abort()
      const controller = new AbortController()
      currentRequest.current = controller
      dispatch({ kind: 'requested' })
      const page = { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }
      const result = await source.load(page, controller.signal)
      if (controller.signal.aborted) return
      if (!result.ok) dispatch({ kind: 'failed', failure: result.failure })
      else {
        const { items, nextCursor } = result.value
        dispatch({ kind: 'page', items, cursor: nextCursor, fresh: cursor === undefined })
      }
    },
    [source],
  )
  useEffect(() => {
    const events = event$(source.event).subscribe((data) => {
      const item = source.read(data)
      if (item !== undefined) dispatch({ kind: 'event', item })
    })
    void load(undefined)
    return () => {
      events.unsubscribe()
      currentRequest.current?.abort()
    }
  }, [event$, source, load])
  useReconnect(() => void load(undefined))

  const more = useCallback(() => {
    if (!state.loading && typeof state.cursor === 'string') void load(state.cursor)
  }, [load, state.cursor, state.loading])
  const retry = useCallback(() => void load(state.cursor ?? undefined), [load, state.cursor])
  const upsert = useCallback((item: T) => dispatch({ kind: 'event', item }), [])
  return { ...state, more, retry, upsert }
}
