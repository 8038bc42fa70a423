import { isTighter, type SelfLimitField, type SelfLimits } from '../../../contract/selfLimits.ts'
import { moneyOf } from '../../../contract/money.ts'
import { dayMs } from '../../../contract/time.ts'

export type SelfLimitValue = string | number | null
/** Saves one limit. Resolves with an error text, or undefined on success. */
export type SaveSelfLimit = (field: SelfLimitField, value: SelfLimitValue) => Promise<string | undefined>

/** The effect of a requested limit, before it is saved. */
export type SelfLimitEffect =
  /** Unchanged, and no change is pending. */
  | 'same'
  /** Unchanged, and the pending change is cancelled. */
  | 'keeps'
  /** Takes effect at once. */
  | 'tighter'
  /** Takes effect after a day. */
  | 'looser'
  /** The same change is already pending. */
  | 'waiting'

export const pendingOf = (limits: SelfLimits, field: SelfLimitField) =>
  limits.pending.find((entry) => entry.field === field)

/** A limit as a number, to compare: minor units or an instant. */
const unitsOf = (value: SelfLimitValue): number | null => (typeof value === 'string' ? moneyOf(value) : value)

/** The effect of a requested value, by the venue's own rule. */
export function effectOf(
  limits: SelfLimits,
  field: SelfLimitField,
  requested: SelfLimitValue,
): SelfLimitEffect {
  const active = unitsOf(limits.active[field])
  const pending = pendingOf(limits, field)
  const requestedUnits = unitsOf(requested)
  if (requestedUnits === active) return pending ? 'keeps' : 'same'
  if (isTighter(field, requestedUnits, active)) return 'tighter'
  return pending && unitsOf(pending.value) === requestedUnits ? 'waiting' : 'looser'
}

/**
 * All limits to send if one of them changes. A pending value is sent again, because sending the active one would
 * cancel the pending change.
 */
export function withLimit(
  limits: SelfLimits,
  field: SelfLimitField,
  value: SelfLimitValue,
): SelfLimits['active'] {
  const pendingValues = Object.fromEntries(limits.pending.map((entry) => [entry.field, entry.value]))
  return { ...limits.active, ...pendingValues, [field]: value }
}

/** How long trading can be paused for. */
export const pauseDurations = {
  h24: dayMs,
  d7: 7 * dayMs,
  d30: 30 * dayMs,
  d180: 180 * dayMs,
  y1: 365 * dayMs,
} as const
export type PauseLength = keyof typeof pauseDurations
export const pauseLengths = ['h24', 'd7', 'd30', 'd180', 'y1'] as const

/** The pauses that end later than the active one: a shorter pause would not be a tighter limit. */
export const longerPauses = (until: number | null, now: number): readonly PauseLength[] =>
  pauseLengths.filter((name) => until === null || now + pauseDurations[name] > until)
