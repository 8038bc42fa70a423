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

/** The instant at which a business day begins in `zone`; found by search, so that a clock change cannot shift it. */
export function startOfDay(day: BusinessDay, zone: string): number {
  const hourMs = 3_600_000
  let low = Date.parse(`${day}T00:00:00Z`) - 15 * hourMs
  let high = low + 30 * hourMs
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (businessDay(middle, zone) < day) low = middle
    else high = middle
  }
  return high
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
