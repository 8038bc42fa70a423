import type { SelfLimitField } from './wallet.ts'

/** A looser limit takes effect after this long on the business calendar, to prevent impulsive decisions. */
export const looseningDelayMs = 24 * 60 * 60_000

/** Whether a limit is stricter than the current one: minor units, or an instant for `excludedUntil`; null is none. */
export function isTighter(field: SelfLimitField, requested: number | null, current: number | null): boolean {
  if (requested === null) return false
  if (current === null) return true
  return field === 'excludedUntil' ? requested > current : requested < current
}
