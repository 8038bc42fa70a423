import type { Minor } from '../../../contract/brand.ts'
import { minor } from '../../../contract/brand.ts'
import { amountMax } from '../../../contract/constants.ts'
import { moneyOf } from '../../../contract/money.ts'
import type { Duration, Ticker } from '../../../streams/index.ts'
import { noEffectiveLimits } from './effectiveLimits.ts'
import type { EffectiveLimits } from './effectiveLimits.ts'

/** What decides whether an order can be placed now. Money in minor units, instants of the venue's clock. */
export type TicketFacts = {
  now: number
  member: boolean
  /** Not under maintenance as a whole; while it is, `opensAt` is when that ends. */
  isVenueOpen: boolean
  /** The socket is up and in step. */
  online: boolean
  status: Ticker['status']
  opensAt: number | null
  closesAt: number | null
  /** The newest price; undefined before the first. */
  quote: { at: number; stale: boolean } | undefined
  /** A price older than this takes no new orders. */
  maxTickGapMs: number
  duration: Duration | undefined
  amount: Minor | undefined
  /** What was entered can be read in two ways or in none; it is no amount then. */
  amountUnclear?: boolean
  /** Undefined while it is not known. */
  available: Minor | undefined
  /** The member's own limits; undefined while they are not known, and then the venue alone judges. */
  limits: EffectiveLimits | undefined
}

/** Why the order buttons are off, with what a sentence needs to say it. */
export type BlockReason =
  | { kind: 'maintenance'; opensAt: number | null }
  | { kind: 'closed'; opensAt: number | null }
  | { kind: 'offline' }
  | { kind: 'waiting' }
  | { kind: 'balanceWaiting' }
  | { kind: 'stale'; ageMs: number }
  | { kind: 'noDuration' }
  | { kind: 'crossesClose'; closesAt: number }
  | { kind: 'login' }
  | { kind: 'excluded'; until: number }
  | { kind: 'lossReached' }
  | { kind: 'noAmount' }
  | { kind: 'unclearAmount' }
  | { kind: 'belowMin'; min: Minor }
  | { kind: 'aboveMax'; max: Minor }
  | { kind: 'ownStake'; max: Minor }
  | { kind: 'ownLoss'; left: Minor }
  | { kind: 'balance'; available: Minor }

/**
 * The first reason in the venue's own order of refusals that a member can do something about; undefined where
 * the order may go. The market comes before the member: nobody is asked to log in to a closed product.
 */
export function preTradeCheck(facts: TicketFacts): BlockReason | undefined {
  if (!facts.member) return checkMarket(facts) ?? { kind: 'login' }
  return checkMarket(facts) ?? checkSelfLimits(facts) ?? checkAmount(facts)
}

/** Off whatever the member enters. */
export function checkMarket(facts: TicketFacts): BlockReason | undefined {
  const { now, status, opensAt, closesAt, quote, duration, maxTickGapMs } = facts
  if (!facts.isVenueOpen || status === 'maintenance') return { kind: 'maintenance', opensAt }
  if (status === 'closed') return { kind: 'closed', opensAt }
  if (!facts.online) return { kind: 'offline' }
  if (quote === undefined) return { kind: 'waiting' }
  const ageMs = Math.max(0, now - quote.at)
  if (quote.stale || ageMs > maxTickGapMs) return { kind: 'stale', ageMs }
  if (duration === undefined) return { kind: 'noDuration' }
  if (closesAt !== null && now + duration.seconds * 1000 > closesAt) return { kind: 'crossesClose', closesAt }
  return undefined
}

/** What the member decided in a calm hour holds whatever amount is entered now. */
function checkSelfLimits({ limits, duration }: TicketFacts): BlockReason | undefined {
  if (limits === undefined) return undefined
  if (limits.excludedUntil !== null) return { kind: 'excluded', until: limits.excludedUntil }
  const { lossLeft } = limits
  const least = duration === undefined ? 1 : moneyOf(duration.min)
  return lossLeft !== null && lossLeft < least ? { kind: 'lossReached' } : undefined
}

function checkAmount(facts: TicketFacts): BlockReason | undefined {
  const { amount, duration, available, limits } = facts
  if (facts.amountUnclear === true) return { kind: 'unclearAmount' }
  if (amount === undefined) return { kind: 'noAmount' }
  if (duration === undefined) return { kind: 'noDuration' }
  const min = moneyOf(duration.min)
  const max = maxStakeOf(duration)
  if (amount < min) return { kind: 'belowMin', min }
  if (amount > max) return { kind: 'aboveMax', max }
  const { maxStake, lossLeft } = limits ?? noEffectiveLimits
  if (maxStake !== null && amount > maxStake) return { kind: 'ownStake', max: maxStake }
  if (lossLeft !== null && amount > lossLeft) return { kind: 'ownLoss', left: lossLeft }
  if (available === undefined) return { kind: 'balanceWaiting' }
  return amount > available ? { kind: 'balance', available } : undefined
}

/** The largest stake that a duration takes: its own limit or the specification's. */
export const maxStakeOf = (duration: Duration): Minor => {
  const max = moneyOf(duration.max)
  return max < amountMax ? max : amountMax
}

/** The largest stake that a duration and the member's own limits take; limits that bar every stake are told elsewhere. */
export function maxStakeNow(duration: Duration, limits: EffectiveLimits | undefined): Minor {
  const most = maxStakeOf(duration)
  const bounds = [limits?.maxStake ?? most, limits?.lossLeft ?? most].filter(
    (bound) => bound >= moneyOf(duration.min),
  )
  return minor(Math.min(most, ...bounds))
}

/** Prices that stand still: drawn grey, with their age. */
export const isPricePaused = (reason: BlockReason | undefined): boolean =>
  reason !== undefined && (reason.kind === 'stale' || reason.kind === 'offline')

/** The amount is at fault: the field wears the mark. */
export const isAmountFault = (reason: BlockReason | undefined): boolean =>
  reason !== undefined &&
  ['unclearAmount', 'belowMin', 'aboveMax', 'ownStake', 'ownLoss', 'balance'].includes(reason.kind)
