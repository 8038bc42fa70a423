import type { Language } from '../../contract/constants.ts'
import { dayMs, type BusinessDay } from '../../contract/time.ts'
import { localeOf } from './format.ts'
import { dayMonth } from './formatDate.ts'
import { lazily } from './lazily.ts'

export type DayFormat = ReturnType<typeof createDayFormat>

/** A business day is a date, not an instant: it is parsed and formatted in UTC, so that no time zone can shift it. */
const utcMidnightOf = (day: BusinessDay): number => Date.parse(`${day}T00:00:00Z`)
/** Any Monday, to get the names of the weekdays. */
const anyMonday = '2024-01-01'

const capitalised = (text: string, locale: string): string =>
  text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)

/** Formats business days, `YYYY-MM-DD`, for a language. */
export function createDayFormat(language: Language) {
  const locale = localeOf(language)
  const formatter = (parts: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
    lazily(() => new Intl.DateTimeFormat(locale, { calendar: 'gregory', timeZone: 'UTC', ...parts }))
  const shortFormat = formatter(dayMonth(language))
  const longFormat = formatter({ ...dayMonth(language), weekday: 'short' })
  const monthFormat = formatter({ month: 'long', year: 'numeric' })
  const weekdayLetterFormat = formatter({ weekday: 'narrow' })
  const weekdayNameFormat = formatter({ weekday: 'long' })
  const week = Array.from({ length: 7 }, (_, index) => utcMidnightOf(anyMonday) + index * dayMs)
  /** `"2026-11"` as November 2026. */
  const month = (text: string): string => monthFormat().format(utcMidnightOf(`${text}-01`))
  const weekdays = lazily(() =>
    week.map((at) => ({
      letter: weekdayLetterFormat().format(at),
      name: weekdayNameFormat().format(at),
    })),
  )
  return {
    /** 20 Nov, on one line. */
    short: (day: BusinessDay): string => shortFormat().format(utcMidnightOf(day)).replaceAll(' ', '\u00a0'),
    /** Fri, 20 Nov */
    long: (day: BusinessDay): string => longFormat().format(utcMidnightOf(day)),
    month,
    /** The same as a heading or a choice, with a capital, which a month in a sentence has only in some languages. */
    monthHead: (text: string): string => capitalised(month(text), locale),
    /** Monday first: one letter to show, the full name for screen readers. */
    weekdays,
  }
}

const dayFormatCache = new Map<Language, DayFormat>()

/** The formatters of a language, cached because Intl formatters are slow to create. */
export function dayFormatOf(language: Language): DayFormat {
  let format = dayFormatCache.get(language)
  if (!format) {
    format = createDayFormat(language)
    dayFormatCache.set(language, format)
  }
  return format
}
