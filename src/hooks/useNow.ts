import { useMemo } from 'react'
import { useObservable } from './useObservable.ts'
import { useStreams } from './useStreams.ts'

/** The venue's time from the first render on, updated each second; 0 before it is known. */
export function useNow(): number {
  const { clock } = useStreams()
  const first = useMemo(() => clock.now(), [clock])
  return useObservable(clock.second$, first)
}
