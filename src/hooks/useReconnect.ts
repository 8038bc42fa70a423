import { useEffect, useRef } from 'react'
import { onRefresh } from '../state/refresh.ts'
import { useStreamsIfReady } from './useStreams.ts'

/**
 * Calls `onReconnect` each time the connection is up again after it was down, because member events are not replayed.
 * Not called for a first connection that succeeds at once. Also called on a manual refresh.
 */
export function useReconnect(onReconnect: () => void): void {
  const connection$ = useStreamsIfReady()?.connection$
  const latest = useRef(onReconnect)
  useEffect(() => {
    latest.current = onReconnect
  })
  useEffect(() => {
    if (!connection$) return undefined
    let lost = false
    const connection = connection$.subscribe(({ state, attempt }) => {
      // If the first connection took more than one attempt, requests meanwhile have failed.
      if (state === 'reconnecting' || (state === 'connecting' && attempt > 0)) lost = true
      if (state !== 'online' || !lost) return
      lost = false
      latest.current()
    })
    return () => connection.unsubscribe()
  }, [connection$])
  useEffect(() => onRefresh(() => latest.current()), [])
}
