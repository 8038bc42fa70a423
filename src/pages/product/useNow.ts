import { useObservable } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'

/** The venue's time, renewed each second; 0 before it is known. */
export function useNow(): number {
  const { clock } = useStreams()
  return useObservable(clock.second$, 0)
}
