import { useMemo } from 'react'
import { distinctUntilChanged, map } from 'rxjs'
import { minuteMs } from '../../contract/time.ts'
import { useObservable } from './useObservable.ts'
import { useStreams } from './useStreams.ts'

/** The venue's time to the minute: enough for "12 minutes ago" without rendering lists every second. */
export function useMinute(): number {
  const { clock } = useStreams()
  const [minute$, first] = useMemo(() => {
    const minuteOf = (at: number): number => Math.floor(at / minuteMs) * minuteMs
    return [clock.second$.pipe(map(minuteOf), distinctUntilChanged()), minuteOf(clock.now())] as const
  }, [clock])
  return useObservable(minute$, first)
}
