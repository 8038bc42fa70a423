import { dayMs, hourMs, minuteMs, secondMs } from '../../../contract/time.ts'
import { UsageError } from './usageError.ts'

const unitMs: Readonly<Record<string, number>> = { s: secondMs, m: minuteMs, h: hourMs, d: dayMs }

/** Converts `90s`, `30m`, `12h`, `7d`, or several of them in a row, to ms; null if it is not a duration. */
function parseDuration(typed: string): number | null {
  if (!/^(\d{1,9}[smhd])+$/.test(typed)) return null
  let ms = 0
  for (const [, count = '', unit = ''] of typed.matchAll(/(\d+)([smhd])/g)) {
    ms += Number(count) * (unitMs[unit] ?? 0)
  }
  return ms > 0 && Number.isSafeInteger(ms) ? ms : null
}

/** @throws UsageError if it is not a duration */
export function readDuration(typed: string): number {
  const ms = parseDuration(typed)
  if (ms === null) throw new UsageError(`${typed} is not a duration: 90s, 30m, 12h or 7d`)
  return ms
}

/**
 * Reads epoch milliseconds, an ISO 8601 time with a zone, or a duration from `now`.
 * @throws UsageError if it is none of them
 */
export function readInstant(typed: string, now: number): number {
  if (/^\d{11,15}$/.test(typed)) return Number(typed)
  const ms = parseDuration(typed)
  if (ms !== null) return now + ms
  const at = /^\d{4}-\d{2}-\d{2}/.test(typed) ? Date.parse(typed) : Number.NaN
  // The time zone would be ambiguous: the operator's machine, the venue's and the members' may be in different zones.
  if (!Number.isNaN(at) && !/T.*(Z|[+-]\d{2}:\d{2})$/i.test(typed))
    throw new UsageError(
      `${typed} has no time of day with a zone: 2026-05-01T02:00Z or 2026-05-01T10:00+08:00`,
    )
  if (Number.isNaN(at)) throw new UsageError(`${typed} is not a time: 2026-05-01T02:00Z, epoch ms, or 30m`)
  return at
}

/** The same of an option, as text for a query; nothing if it was not typed. */
export const instantText = (typed: string | undefined): string | undefined =>
  typed === undefined ? undefined : String(readInstant(typed, Date.now()))
