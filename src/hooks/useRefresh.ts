import { useCallback, useEffect, useState } from 'react'
import { isReading, watchReads } from '../api/reads.ts'
import { refreshShown } from '../state/refreshing.ts'
import { useArrivedStreams } from './useStreams.ts'

/** Answers come faster than an eye: the sign that one was asked for stays this long. */
const shownMs = 500

/** Asks anew for all that the page shows; `refreshing` until every answer is here. */
export function useRefresh(): { refreshing: boolean; refresh: () => void } {
  const streams = useArrivedStreams()
  const [refreshing, setRefreshing] = useState(false)
  const refresh = useCallback(() => {
    setRefreshing(true)
    streams?.wake()
    refreshShown()
  }, [streams])
  useEffect(() => {
    if (!refreshing) return undefined
    const until = performance.now() + shownMs
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = (): void => {
      clearTimeout(timer)
      if (!isReading()) timer = setTimeout(() => setRefreshing(false), Math.max(0, until - performance.now()))
    }
    look()
    const unwatch = watchReads(look)
    return () => {
      clearTimeout(timer)
      unwatch()
    }
  }, [refreshing])
  return { refreshing, refresh }
}
