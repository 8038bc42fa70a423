/** Milliseconds, or `500ms`, `10s`, `5m`, `2h`. */
export type Time = number | `${number}${'ms' | 's' | 'm' | 'h'}`

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** @throws RangeError if it is no time */
export function msOf(time: Time | (string & {})): number {
  if (typeof time === 'number') return time
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(time) ?? []
  if (digits === undefined || unit === undefined)
    throw new RangeError(`${time} is no time: write 500ms, 10s, 5m or 2h`)
  return Number(digits) * (units[unit] ?? 1)
}
