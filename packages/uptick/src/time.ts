/** Milliseconds, or `500ms`, `10s`, `5m`, `2h`. */
export type Time = number | `${number}${'ms' | 's' | 'm' | 'h'}`

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** More is an instant of a clock: no recordings are so long, nor so far from each other. */
const longest = Date.UTC(1990, 0)

/** @throws RangeError if it is no time */
export function msOf(time: Time | (string & {})): number {
  if (typeof time === 'number') {
    if (time >= 0 && time < longest) return time
    throw new RangeError(`${time} is no time: it counts from the first tick, in ms`)
  }
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(time) ?? []
  if (digits === undefined || unit === undefined)
    throw new RangeError(`${time} is no time: write 500ms, 10s, 5m or 2h`)
  return Number(digits) * (units[unit] ?? 1)
}
