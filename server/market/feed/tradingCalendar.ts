import { addDays, atTime, businessDay, dayMs, type BusinessDay } from '../../../contract/time.ts'
import type { FeedTradingHours } from './feed.ts'
import {
  parseTradingHours,
  weekMinutes,
  minutesPerDay,
  type ParsedTradingHours,
  type Span,
} from './tradingHoursFormat.ts'

/** When a product trades, by the clocks of its market's zone. */
export type TradingCalendar = {
  /**
   * Whether the market is open at `t` (ms), and when that changes: it is open from `opensAt` on and closed from
   * `closesAt` on. Null if nothing changes within 400 days.
   */
  tradingHoursAt(t: number): FeedTradingHours
}

const horizonDays = 400

/**
 * The calendar of a feed's `hours`. If the clocks show a time twice, its first occurrence counts; if they skip it, the
 * clock change itself.
 * @throws TradingHoursError with one line per violation
 */
export function openTradingCalendar(hours: unknown): TradingCalendar {
  const parsed = parseTradingHours(hours)
  let known: Known = { from: 0, until: 0, answer: { open: false, opensAt: null, closesAt: null } }
  return {
    tradingHoursAt: (t) => {
      // Called at every flush: the answer stays the same until the next change.
      if (t < known.from || t >= known.until) known = tradingHoursFrom(parsed, t)
      return known.answer
    },
  }
}

type Known = { from: number; until: number; answer: FeedTradingHours }

function tradingHoursFrom(hours: ParsedTradingHours, t: number): Known {
  const end = t + horizonDays * dayMs
  for (const [opensAt, closesAt] of openTimes(hours, t, end)) {
    if (closesAt <= t) continue
    if (opensAt > t) return { from: t, until: opensAt, answer: { open: false, opensAt, closesAt: null } }
    if (closesAt >= end) break
    return { from: t, until: closesAt, answer: { open: true, opensAt: null, closesAt } }
  }
  const open = [...openTimes(hours, t, t + dayMs)].some(([opensAt, closesAt]) => opensAt <= t && t < closesAt)
  return { from: t, until: t + dayMs, answer: { open, opensAt: null, closesAt: null } }
}

/** The open times around [from, until] as [opens, closes) in ms, ascending, none touching the next one. */
function* openTimes(hours: ParsedTradingHours, from: number, until: number): Generator<Span> {
  const { zone } = hours
  let open: Span | undefined
  let day = addDays(businessDay(from, zone), -1)
  const last = addDays(businessDay(until, zone), 1)
  for (; day <= last; day = addDays(day, 1)) {
    for (const [opens, closes] of openMinutes(hours, day)) {
      const next: Span = [atTime(day, opens, zone), atTime(day, closes, zone)]
      // A clock change can skip a whole open time, or the pause between two.
      if (next[0] >= next[1]) continue
      if (open && next[0] <= open[1]) open[1] = Math.max(open[1], next[1])
      else {
        if (open) yield open
        open = next
      }
    }
  }
  if (open) yield open
}

/** The open times of one day in minutes from its midnight, ascending. */
function openMinutes({ week, breaks, holidays }: ParsedTradingHours, day: BusinessDay): Span[] {
  const start = new Date(`${day}T00:00:00Z`).getUTCDay() * minutesPerDay
  let open = week
    // A week that ends after Saturday continues in the first days of the next one.
    .flatMap(([from, to]): Span[] => [
      [from - start, to - start],
      [from - start - weekMinutes, to - start - weekMinutes],
    ])
    .map(([from, to]): Span => [Math.max(0, from), Math.min(minutesPerDay, to)])
    .filter(([from, to]) => from < to)
    .toSorted((a, b) => a[0] - b[0])
  for (const closed of [...breaks, ...(holidays.get(day) ?? [])])
    open = open.flatMap((span) => without(span, closed))
  return open
}

/** What is left of a span without another one. */
const without = ([from, to]: Span, [closedFrom, closedTo]: Span): Span[] =>
  [[from, Math.min(to, closedFrom)] satisfies Span, [Math.max(from, closedTo), to] satisfies Span].filter(
    ([start, end]) => start < end,
  )
