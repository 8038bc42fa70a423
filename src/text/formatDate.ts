import { assertNever } from '../../contract/units.ts'
import type { Language } from '../../contract/constants.ts'
import { lazily } from './lazily.ts'

const gregorian = { calendar: 'gregory', hourCycle: 'h23' } as const

/** The separator between a date and its time. */
const dateTimeSeparators: Partial<Record<Language, string>> = { de: ', ', en: ', ', id: ', ' }

/**
 * Dates and times of a language. By default Thai uses Buddhist years, Indonesian writes 14.05 and Vietnamese puts the
 * time first. A trade's time is written the same way in every language, on a 24-hour clock.
 */
export function createDateFormat(language: Language, locale: string, zone?: string) {
  const timeZone = zone === undefined ? {} : { timeZone: zone }
  const formatter = (tag: string, parts: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
    lazily(() => new Intl.DateTimeFormat(tag, { ...gregorian, ...timeZone, ...parts }))
  const day = formatter(locale, dateOptions(language))
  const monthDay = formatter(locale, { ...dayMonth(language), weekday: 'short' })
  const clock = formatter('en', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const shortClock = formatter('en', { hour: '2-digit', minute: '2-digit' })

  /** 9 Mar 2026, 2026/3/9, 09.03.2026 … */
  const date = (at: number): string => day().format(at)
  /** 14:05:09 */
  const time = (at: number): string => clock().format(at)
  /** 14:05 */
  const timeShort = (at: number): string => shortClock().format(at)
  const dateTime = (at: number): string => `${date(at)}${dateTimeSeparators[language] ?? ' '}${time(at)}`
  const dateTimeShort = (at: number): string =>
    `${date(at)}${dateTimeSeparators[language] ?? ' '}${timeShort(at)}`
  /** The heading of a day in a list: Fri, 20 Nov. */
  const dayHead = (at: number): string => monthDay().format(at)
  return { date, time, timeShort, dateTime, dateTimeShort, dayHead }
}

/** A day without its year: 20 Nov. A Vietnamese month has no name but its number, and is written so: 20/11. */
export const dayMonth = (language: Language) =>
  ({ day: 'numeric', month: language === 'vi' ? 'numeric' : 'short' }) as const

function dateOptions(language: Language): Intl.DateTimeFormatOptions {
  switch (language) {
    case 'zh-CN':
    case 'zh-TW':
      return { dateStyle: 'short' }
    case 'en':
    case 'id':
    case 'th':
    case 'ko':
      return { dateStyle: 'medium' }
    case 'ja':
    case 'vi':
    case 'fr':
    case 'de':
      return { day: '2-digit', month: '2-digit', year: 'numeric' }
    default:
      return assertNever(language)
  }
}
