import type { LimitField } from './wallet.ts'

/** A looser limit waits this long on the business calendar: a decision of the heat of the moment can be slept over. */
export const looserAfterMs = 24 * 60 * 60_000

/** Whether a limit binds a member more than another: minor units, or an instant for `excludedUntil`; null is none. */
export function isTighter(field: LimitField, asked: number | null, current: number | null): boolean {
  if (asked === null) return false
  if (current === null) return true
  return field === 'excludedUntil' ? asked > current : asked < current
}
