import { useMemo } from 'react'
import { distinctUntilChanged, map } from 'rxjs'
import { businessDay, type BusinessDay } from '../../contract/time.ts'
import { dayFormatOf, type DayFormat } from '../text/formatDay.ts'
import { useVenueConfig, useVenueZone } from './useVenue.ts'
import { useLanguage } from './useFormat.ts'
import { useObservable } from './useObservable.ts'
import { useStreams } from './useStreams.ts'

/** Formats business days in the current language. */
export const useDayFormat = (): DayFormat => dayFormatOf(useLanguage())

/** How far the business calendar is ahead of the venue's clock, in ms; 0 unless practice mode moved it. */
export const useBusinessOffset = (): number => useVenueConfig()?.businessOffsetMs ?? 0

/** Today in the business calendar, which all dates named `…On` use; undefined before the clock is known. */
export const useBusinessToday = (): BusinessDay | undefined => useDayOf(useBusinessOffset())

/** Today at the venue; undefined before its clock is known. */
export const useToday = (): BusinessDay | undefined => useDayOf(0)

/** Known at the first render if the clock already runs, without waiting for its next second. */
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
