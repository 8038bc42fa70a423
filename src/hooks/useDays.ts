import { useMemo } from 'react'
import { distinctUntilChanged, map } from 'rxjs'
import type { BusinessDay } from '../../contract/time.ts'
import { businessDay } from '../../contract/time.ts'
import { dayFormatOf } from '../formatDay.ts'
import type { DayFormat } from '../formatDay.ts'
import { useConfig } from './useConfig.ts'
import { useLanguage } from './useFormat.ts'
import { useObservable } from './useObservable.ts'
import { useStreams } from './useStreams.ts'
import { useZone } from './useZone.ts'

/** Writes business days in the language shown. */
export const useDayFormat = (): DayFormat => dayFormatOf(useLanguage())

/** How far the business calendar stands from the venue's clock, in ms; 0 unless practice moved it. */
export const useBusinessOffset = (): number => useConfig()?.businessOffsetMs ?? 0

/** The day of the business calendar, to which all dates named `…On` belong; undefined before the clock is known. */
export function useBusinessToday(): BusinessDay | undefined {
  const { clock } = useStreams()
  const zone = useZone()
  const offsetMs = useBusinessOffset()
  const day$ = useMemo(
    () =>
      clock.second$.pipe(
        map((at) => businessDay(at + offsetMs, zone)),
        distinctUntilChanged(),
      ),
    [clock, zone, offsetMs],
  )
  return useObservable<BusinessDay | undefined>(day$, undefined)
}
