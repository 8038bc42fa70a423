import { addDays, businessDay, minuteMs, startOfDay, type BusinessDay } from '../../../contract/time.ts'

/** The business calendar: the zone's days, plus what the office advanced it by (practice mode only). */
export type BusinessCalendar = {
  /** The business day on which an instant of the venue's clock falls. */
  dayOf(at: number): BusinessDay
  /** The instant of the venue's clock at which a business day begins, with the calendar's current offset. */
  startOf(day: BusinessDay): number
  addDays(day: BusinessDay, days: number): BusinessDay
}

/** @param offsetMs how far the calendar is ahead of the venue's clock, read each time. */
export function createZoneCalendar(zone: string, offsetMs: () => number = () => 0): BusinessCalendar {
  // Every order asks for its day, and formatting an instant takes longer than all its checks. A day begins on a minute.
  let latest = { minute: Number.NaN, day: '' }
  const dayOf = (at: number): BusinessDay => {
    const minute = Math.floor(at / minuteMs)
    if (minute !== latest.minute) latest = { minute, day: businessDay(at, zone) }
    return latest.day
  }
  return {
    dayOf: (at) => dayOf(at + offsetMs()),
    startOf: (day) => startOfDay(day, zone) - offsetMs(),
    addDays,
  }
}
