import { useMemo } from 'react'
import { useObservable } from './useObservable.ts'
import { useStreams } from './useStreams.ts'

/** The venue's time, right from the first draw and renewed each second; 0 before the venue has been heard. */
export function useNow(): number {
  const { clock } = useStreams()
  const first = useMemo(() => clock.now(), [clock])
  return useObservable(clock.second$, first)
}
