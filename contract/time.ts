export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** A business day, `YYYY-MM-DD`, in a named zone. */
export type BusinessDay = string

/** Whether a text is a day of the calendar: `Date.parse` silently turns 30 February into 2 March. */
export function isBusinessDay(text: string): text is BusinessDay {
  const at = Date.parse(`${text}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** What the clocks of a zone show: month and day from 1, hour 0 to 23. */
export type ZonedTime = {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * Date and time of an instant in `zone`, by the Gregorian calendar. Read from the parts, never from the text: the
 * format of a locale changes between ICU versions (72 formats en-CA as 11/22/2026).
 */
export function zonedTime(at: number, zone: string): ZonedTime {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  const time: ZonedTime = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
  for (const { type, value } of format.formatToParts(at)) if (isField(type)) time[type] = Number(value)
  // Some engines format midnight as 24 even with hourCycle h23.
  time.hour %= 24
  return time
}

/**
 * A time zone's name as Intl spells it: `asia/tokyo` is `Asia/Tokyo`. Undefined for an unknown name, and for an offset
 * such as `+08:00`, which has no daylight-saving changes.
 */
export function canonicalZone(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

const fields: ReadonlySet<string> = new Set(['year', 'month', 'day', 'hour', 'minute', 'second'])
const isField = (type: string): type is keyof ZonedTime => fields.has(type)

const digits = (value: number, count: number): string => String(value).padStart(count, '0')

/** The calendar day on which an instant falls in `zone`. */
export function businessDay(at: number, zone: string): BusinessDay {
  const { year, month, day } = zonedTime(at, zone)
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`
}

/** What the clocks of `zone` show at an instant, as if they showed UTC, ms. */
function clockOf(at: number, zone: string): number {
  const { year, month, day, hour, minute, second } = zonedTime(at, zone)
  return Date.UTC(year, month - 1, day, hour, minute, second) + (at - Math.floor(at / secondMs) * secondMs)
}

/**
 * The instant at which the clocks of `zone` first show a time of a business day, in minutes from midnight (1440: the end
 * of the day); if a clock change skips that time, the change itself.
 */
export function atTime(day: BusinessDay, minute: number, zone: string): number {
  const wanted = Date.parse(`${day}T00:00:00Z`) + minute * minuteMs
  // At most one clock change happens within these two days, so the offset is that of their start or that of their end.
  const candidates = [wanted - dayMs, wanted + dayMs].map((near) => wanted - (clockOf(near, zone) - near))
  const shown = candidates.filter((at) => clockOf(at, zone) === wanted)
  if (shown.length > 0) return Math.min(...shown)
  let low = Math.min(...candidates)
  let high = Math.max(...candidates)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (clockOf(middle, zone) < wanted) low = middle
    else high = middle
  }
  return high
}

/** The instant at which a business day begins in `zone`. */
export const startOfDay = (day: BusinessDay, zone: string): number => atTime(day, 0, zone)

/** The day `days` after (or before) a business day, by the calendar alone. */
export function addDays(day: BusinessDay, days: number): BusinessDay {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

/** The Monday of a business day's week. */
export function weekOf(day: BusinessDay): BusinessDay {
  const sinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return addDays(day, -sinceMonday)
}

/** The month of a business day, `YYYY-MM`. */
export const monthOf = (day: BusinessDay): string => day.slice(0, 7)

/** The month `months` after (or before) a month. */
export function addMonths(month: string, months: number): string {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months
  return `${digits(Math.floor(count / 12), 4)}-${digits((count % 12) + 1, 2)}`
}

export type RelativeTime =
  | { kind: 'now' }
  | { kind: 'minutes'; count: number }
  | { kind: 'hours'; count: number }
  | { kind: 'date' }

/** The specification's rule: under 15 minutes "just now", under a day relative, else the date. */
export function relativeTime(at: number, now: number): RelativeTime {
  const minutes = Math.floor((now - at) / minuteMs)
  if (minutes < 15) return { kind: 'now' }
  if (minutes < 60) return { kind: 'minutes', count: minutes }
  if (minutes < 1440) return { kind: 'hours', count: Math.floor(minutes / 60) }
  return { kind: 'date' }
}
