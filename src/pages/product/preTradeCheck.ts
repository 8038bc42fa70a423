import { minor, type Minor } from '../../../contract/units.ts'
import { moneyOf } from '../../../contract/money.ts'
import { maxStakeOf } from '../../../contract/products.ts'
import type { Duration, Quote, Ticker } from '../../../streams/index.ts'
import { noEffectiveLimits, type EffectiveLimits } from './effectiveLimits.ts'

/** The input of {@link preTradeCheck}. Money in minor units, instants of the venue's clock. */
export type TicketFacts = {
  now: number
  member: boolean
  /** False during site maintenance; `opensAt` is the end of the maintenance then. */
  isVenueOpen: boolean
  /**
   * Of the socket: its data is current; the visit's first connection is on its way, or takes long; it is interrupted; or the
   * network lets none through.
   */
  connection: 'current' | 'connecting' | 'unreached' | 'interrupted' | 'blocked'
  /** The device has no network. */
  deviceOffline?: boolean
  status: Ticker['status']
  opensAt: number | null
  closesAt: number | null
  /** The latest price; undefined before the first. */
  quote: ({ at: number } & Pick<Quote, 'stale' | 'witness'>) | undefined
  /** With a price older than this no orders are accepted. */
  maxTickGapMs: number
  duration: Duration | undefined
  /** In the field. */
  amountText: string
  amount: Minor | undefined
  /** The text is ambiguous or invalid, so there is no amount. */
  amountUnclear?: boolean
  /** Undefined until loaded. */
  available: Minor | undefined
  /** The member's own limits; undefined until loaded, and then only the venue checks them. */
  limits: EffectiveLimits | undefined
}

/** Why the order buttons are disabled, with the values its text needs. */
export type BlockReason =
  | { kind: 'maintenance'; opensAt: number | null }
  | { kind: 'closed'; opensAt: number | null }
  /** The device has no network, or the venue's servers are not reached: again, or not yet. */
  | { kind: 'offline'; why: 'device' | 'again' | 'first' }
  | { kind: 'blocked' }
  | { kind: 'waiting' }
  | { kind: 'balanceWaiting' }
  | { kind: 'stale'; ageMs: number }
  | { kind: 'witness'; rejection: NonNullable<Quote['witness']> }
  | { kind: 'noDuration' }
  | { kind: 'crossesClose'; closesAt: number }
  | { kind: 'login' }
  | { kind: 'excluded'; until: number }
  | { kind: 'lossReached' }
  /** Less is available than any order needs. */
  | { kind: 'empty'; min: Minor }
  | { kind: 'noAmount' }
  | { kind: 'unclearAmount' }
  | { kind: 'belowMin'; min: Minor }
  | { kind: 'aboveMax'; max: Minor }
  | { kind: 'maxStake'; max: Minor }
  | { kind: 'dailyLoss'; left: Minor }
  | { kind: 'balance'; available: Minor }

/**
 * The first reason that blocks an order, in the venue's own order of checks; undefined if the order can be placed. The
 * market is checked before the member: a guest need not log in to see that a product is closed.
 */
export function preTradeCheck(facts: TicketFacts): BlockReason | undefined {
  if (!facts.member) return checkMarket(facts) ?? { kind: 'login' }
  return checkMarket(facts) ?? checkSelfLimits(facts) ?? checkAmount(facts)
}

/** Blocks every order, independent of the member and the amount. */
export function checkMarket(facts: TicketFacts): BlockReason | undefined {
  const { now, status, opensAt, closesAt, quote, duration, maxTickGapMs } = facts
  if (!facts.isVenueOpen || status === 'maintenance') return { kind: 'maintenance', opensAt }
  if (status === 'closed') return { kind: 'closed', opensAt }
  if (facts.connection === 'interrupted' || facts.connection === 'unreached')
    return { kind: 'offline', why: whyOffline(facts) }
  if (facts.connection === 'blocked') return { kind: 'blocked' }
  if (facts.connection === 'connecting' || quote === undefined) return { kind: 'waiting' }
  const ageMs = Math.max(0, now - quote.at)
  if (quote.stale || ageMs > maxTickGapMs) return { kind: 'stale', ageMs }
  if (quote.witness !== undefined) return { kind: 'witness', rejection: quote.witness }
  if (duration === undefined) return { kind: 'noDuration' }
  if (closesAt !== null && now + duration.seconds * 1000 > closesAt) return { kind: 'crossesClose', closesAt }
  return undefined
}

const whyOffline = ({ connection, deviceOffline }: TicketFacts) =>
  deviceOffline === true ? 'device' : connection === 'unreached' ? 'first' : 'again'

/** Limits that block every amount. */
function checkSelfLimits({ limits, duration }: TicketFacts): BlockReason | undefined {
  if (limits === undefined) return undefined
  if (limits.excludedUntil !== null) return { kind: 'excluded', until: limits.excludedUntil }
  const { lossLeft } = limits
  const minStake = duration === undefined ? 1 : moneyOf(duration.min)
  return lossLeft !== null && lossLeft < minStake ? { kind: 'lossReached' } : undefined
}

function checkAmount(facts: TicketFacts): BlockReason | undefined {
  const { amount, duration, available, limits } = facts
  if (duration !== undefined && available !== undefined && available < moneyOf(duration.min)) {
    return { kind: 'empty', min: moneyOf(duration.min) }
  }
  if (facts.amountUnclear === true) return { kind: 'unclearAmount' }
  if (amount === undefined) return { kind: 'noAmount' }
  if (duration === undefined) return { kind: 'noDuration' }
  const min = moneyOf(duration.min)
  const max = maxStakeOf(duration)
  if (amount < min) return { kind: 'belowMin', min }
  if (amount > max) return { kind: 'aboveMax', max }
  const { maxStake, lossLeft } = limits ?? noEffectiveLimits
  if (maxStake !== null && amount > maxStake) return { kind: 'maxStake', max: maxStake }
  if (lossLeft !== null && amount > lossLeft) return { kind: 'dailyLoss', left: lossLeft }
  if (available === undefined) return { kind: 'balanceWaiting' }
  return amount > available ? { kind: 'balance', available } : undefined
}

/**
 * The maximum stake by a duration and the member's own limits. Limits that block every stake are ignored here: {@link
 * preTradeCheck} reports them.
 */
export function maxStakeNow(duration: Duration, limits: EffectiveLimits | undefined): Minor {
  const durationMax = maxStakeOf(duration)
  const bounds = [limits?.maxStake ?? durationMax, limits?.lossLeft ?? durationMax].filter(
    (bound) => bound >= moneyOf(duration.min),
  )
  return minor(Math.min(durationMax, ...bounds))
}

/** Whether prices are paused: they are shown grey, with their age. */
export const isPricePaused = (reason: BlockReason | undefined): boolean =>
  reason !== undefined && ['stale', 'offline', 'blocked'].includes(reason.kind)

/**
 * For an open market. Until a first price comes over the socket it is `waiting`: the page shows the one it was loaded
 * with.
 */
export function priceState(reason: BlockReason | undefined): 'live' | 'waiting' | 'stale' {
  if (isPricePaused(reason)) return 'stale'
  return reason?.kind === 'waiting' ? 'waiting' : 'live'
}

/** The product's state in one word: the most severe of what blocks its orders. */
export type ShownStatus = Ticker['status'] | 'paused'

/** The state that the page's header shows; it never says open while prices are paused or new orders are refused. */
export function shownStatus(reason: BlockReason | undefined): ShownStatus {
  if (reason?.kind === 'maintenance' || reason?.kind === 'closed') return reason.kind
  return isPricePaused(reason) || reason?.kind === 'witness' ? 'paused' : 'open'
}

/** Whether the amount is the reason: the field is marked as invalid. */
export const isAmountInvalid = (reason: BlockReason | undefined): boolean =>
  reason !== undefined &&
  ['unclearAmount', 'belowMin', 'aboveMax', 'maxStake', 'dailyLoss', 'balance'].includes(reason.kind)
