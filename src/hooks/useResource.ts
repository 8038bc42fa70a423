import { useMemo } from 'react'
import type { Observable } from 'rxjs'
import type { Streams } from '../../streams/index.ts'
import type { Client } from '../api/client.ts'
import { answerOf } from '../api/result.ts'
import type { Result } from '../api/result.ts'
import { useCall } from './useCall.ts'
import { useLoadable } from './useObservable.ts'
import { useStreams } from './useStreams.ts'

/** The declaration of a resource. */
export type ResourceSource<T> = {
  fetch: (call: Client, signal: AbortSignal) => Promise<Result<T>>
  /** The events that carry it; left out if none does. */
  event$?: (streams: Streams) => Observable<T>
  /** Whether `next` replaces `known`; left out if it always does. */
  isNewer?: (next: T, known: T) => boolean
}

/**
 * A resource, live: fetched, updated by its events, and fetched again after each connect, on resume and on `reload`.
 * `put` applies the answer of an own call. `source` must be stable: another one starts over.
 */
export function useResource<T>(source: ResourceSource<T>) {
  const streams = useStreams()
  const call = useCall()
  const { value$, reload, put } = useMemo(
    () =>
      streams.resource<T>({
        ...(source.isNewer && { isNewer: source.isNewer }),
        ...(source.event$ && { event$: source.event$(streams) }),
        fetch: (signal) => answerOf(source.fetch(call, signal)),
      }),
    [streams, call, source],
  )
  return { loadable: useLoadable(value$), reload, put }
}
