import { isTighter, looserAfterMs } from '../../contract/limits.ts'
import type { LimitField } from '../../contract/wallet.ts'

/** One limit: minor units, or a business instant for `excludedUntil`; null is none. */
export type Limit = { value: number | null; next: { value: number | null; at: number } | null }
export const noLimit: Limit = { value: null, next: null }

/** The limit as it stands at a business instant: what fell due is in force, and an exclusion that is over is none. */
export function limitAt(field: LimitField, limit: Limit, now: number): Limit {
  const due = limit.next !== null && limit.next.at <= now ? limit.next : null
  const value = due ? due.value : limit.value
  const over = field === 'excludedUntil' && value !== null && value <= now
  return { value: over ? null : value, next: due ? null : limit.next }
}

/**
 * What becomes of a limit that a member sets at a business instant. Tighter holds at once and takes back a looser one
 * that was waiting; looser waits. Asking again for what is waiting already does not start the wait anew.
 */
export function changed(field: LimitField, before: Limit, wanted: number | null, now: number): Limit {
  const current = limitAt(field, before, now)
  const asked = field === 'excludedUntil' && wanted !== null && wanted <= now ? null : wanted
  if (asked === current.value) return { value: current.value, next: null }
  if (isTighter(field, asked, current.value)) return { value: asked, next: null }
  const at = current.next?.value === asked ? current.next.at : now + looserAfterMs
  return { value: current.value, next: { value: asked, at } }
}
