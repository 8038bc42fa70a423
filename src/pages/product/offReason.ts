import type { Minor } from '../../../contract/brand.ts'
import { amountMax } from '../../../contract/constants.ts'
import { moneyOf } from '../../../contract/money.ts'
import type { Duration, Figures } from '../../../streams/index.ts'

/** What decides whether an order can be placed now. Money in minor units, instants of the venue's clock. */
export type TicketFacts = {
  now: number
  member: boolean
  siteUp: boolean
  /** The socket is up and in step. */
  online: boolean
  status: Figures['status']
  opensAt: number | null
  closesAt: number | null
  /** The newest price; undefined before the first. */
  quote: { at: number; stale: boolean } | undefined
  /** A price older than this takes no new orders. */
  maxTickGapMs: number
  duration: Duration | undefined
  amount: Minor | undefined
  /** Undefined while it is not known. */
  available: Minor | undefined
}

/** Why the order buttons are off, with what a sentence needs to say it. */
export type OffReason =
  | { kind: 'maintenance'; opensAt: number | null }
  | { kind: 'closed'; opensAt: number | null }
  | { kind: 'offline' }
  | { kind: 'waiting' }
  | { kind: 'balanceWaiting' }
  | { kind: 'stale'; ageMs: number }
  | { kind: 'noDuration' }
  | { kind: 'crossesClose'; closesAt: number }
  | { kind: 'login' }
  | { kind: 'noAmount' }
  | { kind: 'belowMin'; min: Minor }
  | { kind: 'aboveMax'; max: Minor }
  | { kind: 'balance'; available: Minor }

/**
 * The first reason in the venue's own order of refusals that a member can do something about; undefined where
 * the order may go. The market comes before the member: nobody is asked to log in to a closed product.
 */
export function offReason(facts: TicketFacts): OffReason | undefined {
  return marketReason(facts) ?? (facts.member ? amountReason(facts) : { kind: 'login' })
}

/** Off whatever the member enters. */
export function marketReason(facts: TicketFacts): OffReason | undefined {
  const { now, status, opensAt, closesAt, quote, duration, maxTickGapMs } = facts
  if (!facts.siteUp || status === 'maintenance') return { kind: 'maintenance', opensAt }
  if (status === 'closed') return { kind: 'closed', opensAt }
  if (!facts.online) return { kind: 'offline' }
  if (quote === undefined) return { kind: 'waiting' }
  const ageMs = Math.max(0, now - quote.at)
  if (quote.stale || ageMs > maxTickGapMs) return { kind: 'stale', ageMs }
  if (duration === undefined) return { kind: 'noDuration' }
  if (closesAt !== null && now + duration.seconds * 1000 > closesAt) return { kind: 'crossesClose', closesAt }
  return undefined
}

function amountReason({ amount, duration, available }: TicketFacts): OffReason | undefined {
  if (amount === undefined) return { kind: 'noAmount' }
  if (duration === undefined) return { kind: 'noDuration' }
  const min = moneyOf(duration.min)
  const max = largestOf(duration)
  if (amount < min) return { kind: 'belowMin', min }
  if (amount > max) return { kind: 'aboveMax', max }
  if (available === undefined) return { kind: 'balanceWaiting' }
  return amount > available ? { kind: 'balance', available } : undefined
}

/** The largest stake that a duration takes: its own limit or the specification's. */
export const largestOf = (duration: Duration): Minor => {
  const max = moneyOf(duration.max)
  return max < amountMax ? max : amountMax
}

/** Prices that stand still: drawn grey, with their age. */
export const isPaused = (reason: OffReason | undefined): boolean =>
  reason !== undefined && (reason.kind === 'stale' || reason.kind === 'offline')

/** The amount is at fault: the field wears the mark. */
export const isAmountFault = (reason: OffReason | undefined): boolean =>
  reason !== undefined &&
  (reason.kind === 'belowMin' || reason.kind === 'aboveMax' || reason.kind === 'balance')
