import * as z from 'zod/mini'
import { canonicalZone, type BusinessDay } from '../../../contract/time.ts'
import { describeIssues } from '../../platform/schemaIssues.ts'
import { ViolationsError } from './violationsError.ts'

/** From the first number up to the second, without it. */
export type Span = [from: number, to: number]

export type ParsedTradingHours = {
  zone: string
  /** In minutes from Sunday 00:00; one that ends in the next week ends above `weekMinutes`. */
  week: readonly Span[]
  /** Closed on every day, in minutes from midnight. */
  breaks: readonly Span[]
  /** Closed on one day, in minutes from its midnight. */
  holidays: ReadonlyMap<BusinessDay, readonly Span[]>
}

/** The trading hours of a feed are invalid: one line per violation. */
export class TradingHoursError extends ViolationsError {
  constructor(violations: readonly string[]) {
    super('TradingHoursError', violations)
  }
}

export const minutesPerDay = 1440
export const weekMinutes = 7 * minutesPerDay

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const time = z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/))
const weekTime = z
  .string()
  .check(z.regex(/^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) (?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/))
const isDate = (text: string): boolean => {
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
const date = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/), z.refine(isDate))

/**
 * A feed's `hours`. `zone` is an IANA zone, and every time is what its clocks show. `week` lists when the market opens
 * and closes: `["Sun 17:00", "Fri 17:00"]`. `breaks` are pauses of every day: `["17:00", "18:00"]`. `holidays` are
 * closed days, `"2026-12-25"`, or a closed part of one: `{"date": "2026-12-24", "from": "13:45"}` closes early,
 * `{"date": "2026-12-25", "to": "18:00"}` opens late.
 */
const tradingHours = z.strictObject({
  zone: z.string(),
  week: z.array(z.tuple([weekTime, weekTime])).check(z.minLength(1)),
  breaks: z._default(z.array(z.tuple([time, time])), []),
  holidays: z._default(
    z.array(z.union([date, z.strictObject({ date, from: z.optional(time), to: z.optional(time) })])),
    [],
  ),
})

/**
 * Validates a feed's `hours`.
 * @throws TradingHoursError with one line per violation
 */
export function parseTradingHours(hours: unknown): ParsedTradingHours {
  const parsed = tradingHours.safeParse(hours, { reportInput: true })
  if (!parsed.success) {
    const lines = describeIssues(tradingHours, parsed.error.issues, 'feed.hours')
    throw new TradingHoursError([...new Set(lines)])
  }
  const { zone, week, breaks, holidays } = parsed.data
  const violations: string[] = []
  if (canonicalZone(zone) === undefined)
    violations.push(`feed.hours.zone: ${JSON.stringify(zone)} is not an IANA zone`)
  const closed = new Map<BusinessDay, Span[]>()
  for (const each of holidays) {
    const { date: day, from = '00:00', to = '24:00' } = typeof each === 'string' ? { date: each } : each
    const span: Span = [minuteOf(from), minuteOf(to)]
    if (span[0] >= span[1]) violations.push(`feed.hours.holidays: ${day} ends at ${to}, not after ${from}`)
    closed.set(day, [...(closed.get(day) ?? []), span])
  }
  const pauses = breaks.map(([from, to]): Span => {
    const span: Span = [minuteOf(from), minuteOf(to)]
    if (span[0] >= span[1])
      violations.push(`feed.hours.breaks: ${from} to ${to} does not end after it begins`)
    return span
  })
  const open = week.map(([from, to]): Span => {
    const [opens, closes] = [weekMinuteOf(from), weekMinuteOf(to)]
    if (opens === closes) violations.push(`feed.hours.week: ${from} to ${to} is empty`)
    return [opens, closes < opens ? closes + weekMinutes : closes]
  })
  if (violations.length > 0) throw new TradingHoursError(violations)
  return { zone, week: open, breaks: pauses, holidays: closed }
}

function minuteOf(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return hour * 60 + minute
}

function weekMinuteOf(text: string): number {
  const [day = '', clock = ''] = text.split(' ')
  return weekdays.indexOf(day) * minutesPerDay + minuteOf(clock)
}
