import type { Language } from '../../contract/constants.ts'
import { assertNever } from '../../contract/units.ts'
import { relativeTime } from '../../contract/time.ts'
import { createDateFormat } from './formatDate.ts'
import { createNumberFormat } from './formatNumber.ts'
import { lazily } from './lazily.ts'

export { hiddenAmount, noValue } from './formatNumber.ts'

/** British dates; all other languages are their own locale. */
export const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language)

export type Format = ReturnType<typeof createFormat>

/** Formats numbers, dates and durations for a language. `zone` is the device's own unless a test sets one. */
export function createFormat(language: Language, zone?: string) {
  const locale = localeOf(language)
  const relative = lazily(() => new Intl.RelativeTimeFormat(locale, { style: 'short' }))
  const listFormat = lazily(() => new Intl.ListFormat(locale))
  const date = createDateFormat(language, locale, zone)
  /** Intl puts a space between a figure and its counter in Japanese; the texts have none. */
  const closeUp = (text: string): string => (language === 'ja' ? text.replaceAll(' ', '') : text)

  /**
   * The specification's relative time: just now, minutes or hours ago, then the date. `justNow` is the translated
   * text. While the venue's time is not known (`now` is 0) the result is the date and time itself.
   */
  function ago(at: number, now: number, justNow: string): string {
    if (now === 0) return date.dateTimeShort(at)
    const elapsed = relativeTime(at, now)
    switch (elapsed.kind) {
      case 'now':
        return justNow
      case 'minutes':
        return closeUp(relative().format(-elapsed.count, 'minute'))
      case 'hours':
        return closeUp(relative().format(-elapsed.count, 'hour'))
      case 'date':
        return date.date(at)
      default:
        return assertNever(elapsed)
    }
  }
  /** A wait in words, rounded up so that it is never too short: 40 seconds, 5 minutes, 24 hours. */
  function wait(ms: number): string {
    const seconds = Math.max(1, Math.ceil(ms / 1000))
    if (seconds < 90) return unit(seconds, 'second')
    const minutes = Math.ceil(seconds / 60)
    return minutes < 120 ? unit(minutes, 'minute') : unit(Math.ceil(minutes / 60), 'hour')
  }
  /** Words as a list: A, B and C. */
  const list = (words: readonly string[]): string => listFormat().format(words)
  /** The long word of mainland Chinese is 秒钟, the texts say 秒. */
  const unitDisplay = language === 'zh-CN' ? 'short' : 'long'
  const unit = (count: number, name: 'second' | 'minute' | 'hour'): string =>
    closeUp(new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay }).format(count))
  return { language, ...createNumberFormat(language, locale), ...date, ago, wait, list }
}

const formatCache = new Map<string, Format>()

/** The formatters of a language and zone, cached because Intl formatters are slow to create. */
export function formatOf(language: Language, zone?: string): Format {
  const name = `${language} ${zone ?? ''}`
  let format = formatCache.get(name)
  if (!format) {
    format = createFormat(language, zone)
    formatCache.set(name, format)
  }
  return format
}
