/** Instants of recordings, epoch ms: what is outside is another unit. */
const earliest = Date.UTC(1990, 0)
const latest = Date.UTC(2100, 0)

/** Units of time, and by how many digits the point moves to make one of them a millisecond. */
const digitsToMs = { milliseconds: 0, seconds: 3, microseconds: -3, nanoseconds: -6 } as const
export type InstantUnit = keyof typeof digitsToMs

/** Whether it is an instant in ms from 1990 to 2100. */
export const isRecordedInstant = (at: number): boolean => at >= earliest && at < latest

/** The unit in which a number is an instant from 1990 to 2100; undefined: in none. */
export function instantUnitOf(at: number): InstantUnit | undefined {
  const units = Object.keys(digitsToMs) as InstantUnit[]
  return units.find((unit) => isRecordedInstant(at * 10 ** digitsToMs[unit]))
}

/** ("1688669597.8277369", "seconds") → 1688669597827: a plain decimal number in ms, what is less than one cut off. */
export function msOfInstant(text: string, unit: InstantUnit): number {
  const [whole = '', fraction = ''] = text.split('.')
  const digits = digitsToMs[unit]
  if (digits === 0) return Number(whole)
  return Number(digits > 0 ? whole + fraction.slice(0, digits).padEnd(digits, '0') : whole.slice(0, digits))
}

/** Why a number cannot be an instant in this unit; undefined: it can be one. */
export function instantFault(text: string, unit: InstantUnit = 'milliseconds'): string | undefined {
  const at = Number(text)
  if (isRecordedInstant(at * 10 ** digitsToMs[unit])) return undefined
  const likely = instantUnitOf(at)
  return likely === undefined
    ? `the instant ${text} is not between 1990 and 2100 in ${unit}`
    : `the instant ${text} is in ${likely}, not ${unit}`
}
