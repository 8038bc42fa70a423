import { useMemo } from 'react'
import type { Observable } from 'rxjs'
import type { ListRules, ListState, PageOf, PagedList, Streams } from '../../streams/index.ts'
import type { Client } from '../api/client.ts'
import { answerOf, type Result } from '../api/result.ts'
import { useCall } from './useCall.ts'
import { useListState } from './useListState.ts'
import { useStreams } from './useStreams.ts'

/** The declaration of a list. */
export type ListSource<T> = ListRules<T> & {
  /** Loads the page after the cursor; the first one without a cursor. */
  load: (call: Client, after: { cursor?: string }, signal: AbortSignal) => Promise<Result<PageOf<T>>>
  /** The events that carry items; left out if none does. */
  event$?: (streams: Streams) => Observable<T>
}
export type List<T> = ListState<T> & Omit<PagedList<T>, 'state$'>

/**
 * A list, live: page by page, updated by its events, and loaded again after each connect and on resume. `source` must
 * be stable: another one starts over.
 */
export function useList<T extends { id: string }>(source: ListSource<T>): List<T> {
  const streams = useStreams()
  const call = useCall()
  const list = useMemo(() => pagedListOf(streams, call, source), [streams, call, source])
  const state = useListState(list)
  return useMemo(() => {
    const { more, retry, reload, upsert } = list
    return { ...state, more, retry, reload, upsert }
  }, [state, list])
}

/** What a list has so far, live as of {@link useList}; empty without a source, for which nothing is loaded. */
export function useListItems<T extends { id: string }>(source: ListSource<T> | undefined): readonly T[] {
  const streams = useStreams()
  const call = useCall()
  const list = useMemo(() => source && pagedListOf(streams, call, source), [streams, call, source])
  return useListState(list).items
}

function pagedListOf<T extends { id: string }>(
  streams: Streams,
  call: Client,
  { load, event$, ...rules }: ListSource<T>,
): PagedList<T> {
  return streams.pagedList<T>({
    ...rules,
    ...(event$ && { event$: event$(streams) }),
    load: (cursor, signal) => answerOf(load(call, cursor === undefined ? {} : { cursor }, signal)),
  })
}
