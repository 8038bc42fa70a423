import { useCallback, useEffect, useState } from 'react'
import { hasPendingReads, watchPendingReads } from '../api/pendingReads.ts'
import { refreshShown } from '../state/refresh.ts'
import { useStreamsIfReady } from './useStreams.ts'

/** Answers come faster than an eye: the sign that one was asked for stays this long. */
const shownMs = 500

/** Asks anew for all that the page shows; `refreshing` until every answer is here. */
export function useRefresh(): { refreshing: boolean; refresh: () => void } {
  const streams = useStreamsIfReady()
  const [refreshing, setRefreshing] = useState(false)
  const refresh = useCallback(() => {
    setRefreshing(true)
    streams?.refresh()
    refreshShown()
  }, [streams])
  useEffect(() => {
    if (!refreshing) return undefined
    const until = performance.now() + shownMs
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
