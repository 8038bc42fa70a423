import { addDays, businessDay, startOfDay } from '../../contract/time.ts'
import type { BusinessDay } from '../../contract/time.ts'

/** The business calendar: the zone's days, plus what the back office advanced it by (practice mode only). */
export type BusinessCalendar = {
  /** The business day on which an instant of the venue's clock falls. */
  dayOf(at: number): BusinessDay
  /** The instant of the venue's clock at which a business day begins, with the calendar's current offset. */
  startOf(day: BusinessDay): number
  addDays(day: BusinessDay, days: number): BusinessDay
}

/** @param offsetMs how far the calendar is ahead of the venue's clock, read each time. */
export function createZoneCalendar(zone: string, offsetMs: () => number = () => 0): BusinessCalendar {
  return {
    dayOf: (at) => businessDay(at + offsetMs(), zone),
    startOf: (day) => startOfDay(day, zone) - offsetMs(),
    addDays,
  }
}
