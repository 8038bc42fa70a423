import { isTighter, looseningDelayMs } from '../../contract/selfLimits.ts'
import type { SelfLimitField } from '../../contract/wallet.ts'

/** One limit: minor units, or a business instant for `excludedUntil`; null is none. */
export type SelfLimit = { value: number | null; next: { value: number | null; at: number } | null }
export const noSelfLimit: SelfLimit = { value: null, next: null }

/** The limit as it stands at a business instant: what fell due is in force, and an exclusion that is over is none. */
export function effectiveLimit(field: SelfLimitField, limit: SelfLimit, now: number): SelfLimit {
  const due = limit.next !== null && limit.next.at <= now ? limit.next : null
  const value = due ? due.value : limit.value
  const isOver = field === 'excludedUntil' && value !== null && value <= now
  return { value: isOver ? null : value, next: due ? null : limit.next }
}

/**
 * What becomes of a limit that a member sets at a business instant. Tighter holds at once and takes back a looser one
 * that was waiting; looser waits. Asking again for what is waiting already does not start the wait anew.
 */
export function changeLimit(
  field: SelfLimitField,
  before: SelfLimit,
  wanted: number | null,
  now: number,
): SelfLimit {
  const current = effectiveLimit(field, before, now)
  const requested = field === 'excludedUntil' && wanted !== null && wanted <= now ? null : wanted
  if (requested === current.value) return { value: current.value, next: null }
  if (isTighter(field, requested, current.value)) return { value: requested, next: null }
  const at = current.next?.value === requested ? current.next.at : now + looseningDelayMs
  return { value: current.value, next: { value: requested, at } }
}
