import { isTighter } from '../../../contract/selfLimits.ts'
import { moneyOf } from '../../../contract/money.ts'
import type { SelfLimitField, SelfLimits } from '../../../contract/selfLimits.ts'

export const amountFields = ['maxStake', 'maxDailyLoss', 'maxDailyDeposit'] as const
export type AmountLimitField = (typeof amountFields)[number]
export type LimitValue = string | number | null

/** What comes of a limit that is asked for, before it is saved. */
export type LimitEffect =
  /** As it is, and nothing waits. */
  | 'same'
  /** As it is, and what waited is taken back. */
  | 'keeps'
  /** Holds at once. */
  | 'tighter'
  /** Waits a day. */
  | 'looser'
  /** Already waiting: it goes on waiting. */
  | 'waiting'

export const pendingOf = (limits: SelfLimits, field: SelfLimitField) =>
  limits.pending.find((entry) => entry.field === field)

/** As one number, so that limits can be compared: minor units or an instant. */
const unitsOf = (value: LimitValue): number | null => (typeof value === 'string' ? moneyOf(value) : value)

/** What a value asked for comes to, by the rule that the venue sets limits by. */
export function effectOf(limits: SelfLimits, field: SelfLimitField, requested: LimitValue): LimitEffect {
  const active = unitsOf(limits.active[field])
  const pending = pendingOf(limits, field)
  const wanted = unitsOf(requested)
  if (wanted === active) return pending ? 'keeps' : 'same'
  if (isTighter(field, wanted, active)) return 'tighter'
  return pending && unitsOf(pending.value) === wanted ? 'waiting' : 'looser'
}

/**
 * All four limits to send where one of them changes. What waits is asked for again, because asking for what is
 * in force would take it back.
 */
export function withLimit(
  limits: SelfLimits,
  field: SelfLimitField,
  value: LimitValue,
): SelfLimits['active'] {
  const waiting = Object.fromEntries(limits.pending.map((entry) => [entry.field, entry.value]))
  return { ...limits.active, ...waiting, [field]: value }
}

const dayMs = 86_400_000
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

/** The pauses that reach further than the one in force: a shorter one would not be a tighter limit. */
export const longerPauses = (until: number | null, now: number): readonly PauseLength[] =>
  pauseLengths.filter((name) => until === null || now + pauseDurations[name] > until)
