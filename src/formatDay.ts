import type { Language } from '../contract/constants.ts'
import type { BusinessDay } from '../contract/time.ts'
import { localeOf } from './format.ts'

export type DayFormat = ReturnType<typeof createDayFormat>

/** A business day is a date and no instant: it is read and written in UTC, so that no zone can shift it. */
const instantOf = (day: BusinessDay): number => Date.parse(`${day}T00:00:00Z`)
/** A Monday, to name the days of a week by. */
const someMonday = '2024-01-01'

/** Writes business days, `YYYY-MM-DD`, for the readers of a language. */
export function createDayFormat(language: Language) {
  const locale = localeOf(language)
  const format = (parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { calendar: 'gregory', timeZone: 'UTC', ...parts })
  const shortOne = format({ day: 'numeric', month: 'short' })
  const longOne = format({ day: 'numeric', month: 'short', weekday: 'short' })
  const monthOne = format({ month: 'long', year: 'numeric' })
  const weekdayOne = format({ weekday: 'narrow' })
  const weekdayName = format({ weekday: 'long' })
  const week = Array.from({ length: 7 }, (_, index) => instantOf(someMonday) + index * 86_400_000)
  return {
    /** 20 Nov, on one line. */
    short: (day: BusinessDay): string => shortOne.format(instantOf(day)).replaceAll(' ', '\u00a0'),
    /** Fri, 20 Nov */
    long: (day: BusinessDay): string => longOne.format(instantOf(day)),
    /** `"2026-11"` as November 2026. */
    month: (month: string): string => monthOne.format(instantOf(`${month}-01`)),
    /** Monday first: one letter to draw, the whole word to be read aloud. */
    weekdays: week.map((at) => ({ letter: weekdayOne.format(at), name: weekdayName.format(at) })),
  }
}

const made = new Map<Language, DayFormat>()

/** The one set of a language; made once, because Intl's are slow to make. */
export function dayFormatOf(language: Language): DayFormat {
  let format = made.get(language)
  if (!format) {
    format = createDayFormat(language)
    made.set(language, format)
  }
  return format
}
