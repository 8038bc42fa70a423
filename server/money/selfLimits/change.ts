import { isTighter, looseningDelayMs, type SelfLimitField } from '../../../contract/selfLimits.ts'

/** One limit: minor units, or a business time for `excludedUntil`; null means none. */
export type SelfLimit = { value: number | null; next: { value: number | null; at: number } | null }
export const noSelfLimit: SelfLimit = { value: null, next: null }

/** The limit at a business time: a pending change that is due is in force, and an exclusion that has ended is none. */
export function effectiveLimit(field: SelfLimitField, limit: SelfLimit, now: number): SelfLimit {
  const due = limit.next !== null && limit.next.at <= now ? limit.next : null
  const value = due ? due.value : limit.value
  const isOver = field === 'excludedUntil' && value !== null && value <= now
  return { value: isOver ? null : value, next: due ? null : limit.next }
}

/**
 * The limit after a member changes it at a business time. A tighter limit takes effect at once and cancels a pending
 * looser one; a looser limit is delayed. Requesting the pending value again does not restart the delay.
 */
export function changeLimit(
  field: SelfLimitField,
  before: SelfLimit,
  requested: number | null,
  now: number,
): SelfLimit {
  const current = effectiveLimit(field, before, now)
  const effective = field === 'excludedUntil' && requested !== null && requested <= now ? null : requested
  if (effective === current.value) return { value: current.value, next: null }
  if (isTighter(field, effective, current.value)) return { value: effective, next: null }
  const at = current.next?.value === effective ? current.next.at : now + looseningDelayMs
  return { value: current.value, next: { value: effective, at } }
}
