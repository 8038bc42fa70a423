import { useEffect, useMemo } from 'react'
import type { Observable } from 'rxjs'
import type { Streams } from '../../streams/index.ts'
import type { Client } from '../api/client.ts'
import { answerOf, type Result } from '../api/result.ts'
import { lazyStreams } from '../start/lazyStreams.ts'
import { useCall } from './useCall.ts'
import { useLoadable } from './useObservable.ts'
import { useStreamsIfReady } from './useStreams.ts'

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
 * `put` applies the answer of an own call. `source` must be stable: another one starts over. On a page that renders
 * before the streams are loaded, it is loading until they are.
 */
export function useResource<T>(source: ResourceSource<T>) {
  const streams = useStreamsIfReady()
  const call = useCall()
  useEffect(() => {
    // Loads them again if that failed at the start.
    if (streams === null) void lazyStreams.get()
  }, [streams])
  const resource = useMemo(
    () =>
      streams?.resource<T>({
        ...(source.isNewer && { isNewer: source.isNewer }),
        ...(source.event$ && { event$: source.event$(streams) }),
        fetch: (signal) => answerOf(source.fetch(call, signal)),
      }),
    [streams, call, source],
  )
  const loadable = useLoadable(resource?.value$)
  return { loadable, reload: resource?.reload ?? ignore, put: resource?.put ?? ignore }
}

const ignore = (): void => undefined
