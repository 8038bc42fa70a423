import { useMemo } from 'react'
import { distinctUntilChanged, map } from 'rxjs'
import type { BusinessDay } from '../../../contract/time.ts'
import { businessDay } from '../../../contract/time.ts'
import { useObservable } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { useZone } from '../../hooks/useZone.ts'

/** The day it is at the venue; undefined before its clock is known. */
export function useToday(): BusinessDay | undefined {
  const { clock } = useStreams()
  const zone = useZone()
  const day$ = useMemo(
    () =>
      clock.second$.pipe(
        map((at) => businessDay(at, zone)),
        distinctUntilChanged(),
      ),
    [clock, zone],
  )
  return useObservable<BusinessDay | undefined>(day$, undefined)
}
