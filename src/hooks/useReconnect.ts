import { useEffect, useRef } from 'react'
import { useStreams } from './useStreams.ts'

/**
 * Calls back each time the line to the venue is up again after it was down. Member events are not replayed: what
 * came meanwhile is only in a new answer. The first connection is nothing to catch up on.
 */
export function useReconnect(again: () => void): void {
  const { connection$ } = useStreams()
  const latest = useRef(again)
  useEffect(() => {
    latest.current = again
  })
  useEffect(() => {
    let lost = false
    const connection = connection$.subscribe(({ state }) => {
      if (state === 'reconnecting') lost = true
      if (state !== 'online' || !lost) return
      lost = false
      latest.current()
    })
    return () => connection.unsubscribe()
  }, [connection$])
}
