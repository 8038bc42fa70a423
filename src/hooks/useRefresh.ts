import { useCallback, useEffect, useState } from 'react'
import { hasPendingReads, watchPendingReads } from '../api/pendingReads.ts'
import { useStreamsIfReady } from './useStreams.ts'

/** Minimum time to show the indicator, because answers come too fast to notice. */
const indicatorMinMs = 500

/** Reloads everything the page shows; `refreshing` until every answer has arrived. */
export function useRefresh(): { refreshing: boolean; refresh: () => void } {
  const streams = useStreamsIfReady()
  const [refreshing, setRefreshing] = useState(false)
  const refresh = useCallback(() => {
    setRefreshing(true)
    streams?.refresh()
  }, [streams])
  useEffect(() => {
    if (!refreshing) return undefined
    const until = performance.now() + indicatorMinMs
    let timer: ReturnType<typeof setTimeout> | undefined
    const checkPending = (): void => {
      clearTimeout(timer)
      if (!hasPendingReads())
        timer = setTimeout(() => setRefreshing(false), Math.max(0, until - performance.now()))
    }
    checkPending()
    const unwatch = watchPendingReads(checkPending)
    return () => {
      clearTimeout(timer)
      unwatch()
    }
  }, [refreshing])
  return { refreshing, refresh }
}
