import { useEffect, useRef } from 'react'
import { onRefresh } from '../state/refresh.ts'
import { useStreamsIfReady } from './useStreams.ts'

/**
 * Calls back each time the line to the venue is up again after it was down. Member events are not replayed: what
 * came meanwhile is only in a new answer. A first connection that came at once is nothing to catch up on. A refresh
 * by hand asks too.
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
      // A first connection that took more than one try: what was asked meanwhile had no answer.
      if (state === 'reconnecting' || (state === 'connecting' && attempt > 0)) lost = true
      if (state !== 'online' || !lost) return
      lost = false
      latest.current()
    })
    return () => connection.unsubscribe()
  }, [connection$])
  useEffect(() => onRefresh(() => latest.current()), [])
}
