/** A business day, `YYYY-MM-DD`, in a named zone. */
export type BusinessDay = string

const formats = new Map<string, Intl.DateTimeFormat>()

/** The calendar day on which an instant falls in `zone`. */
export function businessDay(at: number, zone: string): BusinessDay {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      calendar: 'gregory',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    formats.set(zone, format)
  }
  return format.format(at)
}

const hourMs = 3_600_000

/** The instant at which a business day begins in `zone`; found by search, so that a clock change cannot shift it. */
export function startOfDay(day: BusinessDay, zone: string): number {
  let low = Date.parse(`${day}T00:00:00Z`) - 15 * hourMs
  let high = low + 30 * hourMs
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (businessDay(middle, zone) < day) low = middle
    else high = middle
  }
  return high
}

const hourFormats = new Map<string, Intl.DateTimeFormat>()

/** The full hour, 0 to 23, that the clocks of `zone` show. */
function hourOf(at: number, zone: string): number {
  let format = hourFormats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' })
    hourFormats.set(zone, format)
  }
  return Number(format.format(at))
}

/**
 * The instant at which the clocks of `zone` first show a full hour of a business day; where a clock change leaves that
 * hour out, the change itself.
 */
export function atHour(day: BusinessDay, hour: number, zone: string): number {
  const start = startOfDay(day, zone)
  // No clock has ever been moved by more than a few hours within a day.
  let at = start + Math.max(0, hour - 3) * hourMs
  while (businessDay(at, zone) === day && hourOf(at, zone) < hour) at += hourMs / 4
  return at
}

/** The day `days` after (or before) a business day, by the calendar alone. */
export function addDays(day: BusinessDay, days: number): BusinessDay {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

export type RelativeTime =
  { kind: 'now' } | { kind: 'minutes'; count: number } | { kind: 'hours'; count: number } | { kind: 'date' }

/** The specification's rule: under 15 minutes "just now", under a day relative, else the date. */
export function relativeTime(at: number, now: number): RelativeTime {
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 15) return { kind: 'now' }
  if (minutes < 60) return { kind: 'minutes', count: minutes }
  if (minutes < 1440) return { kind: 'hours', count: Math.floor(minutes / 60) }
  return { kind: 'date' }
}
