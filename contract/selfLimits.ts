import type { SelfLimitField } from './wallet.ts'

/** A looser limit waits this long on the business calendar: a decision of the heat of the moment can be slept over. */
export const looseningDelayMs = 24 * 60 * 60_000

/** Whether a limit binds a member more than another: minor units, or an instant for `excludedUntil`; null is none. */
export function isTighter(field: SelfLimitField, requested: number | null, current: number | null): boolean {
  if (requested === null) return false
  if (current === null) return true
  return field === 'excludedUntil' ? requested > current : requested < current
}
