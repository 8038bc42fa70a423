import { useCallback, useEffect, useMemo, useState } from 'react'
import type { MemberEvent } from '../../contract/socket.ts'
import type { Loadable } from '../../streams/index.ts'
import type { Result } from '../api/result.ts'
import { useRequest, valueOf } from './useRequest.ts'
import { useStreams } from './useStreams.ts'

export type LiveResourceSource<T> = {
  load: (signal: AbortSignal) => Promise<Result<T>>
  event: MemberEvent
  /** Parses an event's payload; undefined if it is invalid. */
  read: (data: unknown) => T | undefined
}

/**
 * A resource of the member: fetched, fetched again after a reconnect, and replaced by each event with a newer version.
 * `source` must be stable. `put` applies the answer of a call made by this client.
 */
export function useLiveResource<T extends { version: number }>(source: LiveResourceSource<T>) {
  const { event$ } = useStreams()
  const { loadable, reload } = useRequest(source.load)
  const [received, setReceived] = useState<T>()
  const put = useCallback(
    (next: T) => setReceived((before) => (before && before.version >= next.version ? before : next)),
    [],
  )
  useEffect(() => {
    const events = event$(source.event).subscribe((data) => {
      const next = source.read(data)
      if (next !== undefined) put(next)
    })
    return () => events.unsubscribe()
  }, [event$, source, put])
  const live = useMemo(() => newest(loadable, received), [loadable, received])
  return { loadable: live, reload, put }
}

function newest<T extends { version: number }>(loadable: Loadable<T>, received: T | undefined): Loadable<T> {
  const known = valueOf(loadable)
  if (received === undefined || (known && known.version >= received.version)) return loadable
  return { state: 'ready', value: received, fresh: true }
}
