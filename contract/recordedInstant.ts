/** Instants of recordings, epoch ms: what is outside is another unit. */
const earliest = Date.UTC(1990, 0)
const latest = Date.UTC(2100, 0)

/** Other units of time, and how many of them are a millisecond. */
const perMs = { seconds: 1e-3, microseconds: 1e3, nanoseconds: 1e6 } as const
type OtherUnit = keyof typeof perMs

/** Whether it is an instant in ms from 1990 to 2100. */
export const isRecordedInstant = (at: number): boolean => at >= earliest && at < latest

/** The unit in which a number is an instant from 1990 to 2100; undefined: in none. */
export function instantUnitOf(at: number): 'milliseconds' | OtherUnit | undefined {
  if (isRecordedInstant(at)) return 'milliseconds'
  return (Object.keys(perMs) as OtherUnit[]).find((unit) => isRecordedInstant(at / perMs[unit]))
}

/** Why a number cannot be an instant in ms; undefined: it can be one. */
export function instantFault(text: string): string | undefined {
  const at = Number(text)
  if (isRecordedInstant(at)) return undefined
  const unit = instantUnitOf(at)
  return unit === undefined
    ? `the instant ${text} is not between 1990 and 2100 in milliseconds`
    : `the instant ${text} is in ${unit}, not milliseconds`
}
