import { useMemo } from 'react'
import { distinctUntilChanged, map } from 'rxjs'
import type { BusinessDay } from '../../contract/time.ts'
import { businessDay } from '../../contract/time.ts'
import { dayFormatOf } from '../formatDay.ts'
import type { DayFormat } from '../formatDay.ts'
import { useVenueConfig } from './useVenueConfig.ts'
import { useLanguage } from './useFormat.ts'
import { useObservable } from './useObservable.ts'
import { useStreams } from './useStreams.ts'
import { useVenueZone } from './useVenueZone.ts'

/** Writes business days in the language shown. */
export const useDayFormat = (): DayFormat => dayFormatOf(useLanguage())

/** How far the business calendar stands from the venue's clock, in ms; 0 unless practice moved it. */
export const useBusinessOffset = (): number => useVenueConfig()?.businessOffsetMs ?? 0

/** The day of the business calendar, to which all dates named `…On` belong; undefined before the clock is known. */
export const useBusinessToday = (): BusinessDay | undefined => useDayOf(useBusinessOffset())

/** The day it is at the venue; undefined before its clock is known. */
export const useToday = (): BusinessDay | undefined => useDayOf(0)

/** Known at the first render wherever the clock already runs: a page does not wait for its next second. */
function useDayOf(offsetMs: number): BusinessDay | undefined {
  const { clock } = useStreams()
  const zone = useVenueZone()
  const [day$, first] = useMemo(() => {
    const dayOf = (at: number): BusinessDay => businessDay(at + offsetMs, zone)
    const now = clock.now()
    return [
      clock.second$.pipe(map(dayOf), distinctUntilChanged()),
      now === 0 ? undefined : dayOf(now),
    ] as const
  }, [clock, zone, offsetMs])
  return useObservable<BusinessDay | undefined>(day$, first)
}
