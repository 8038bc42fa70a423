import type { Minor, PriceUnits } from '../units.ts'

/** The terms of every rule. */
type CommonTerms = {
  priceDecimals: number
  rateBp: number
  entryTimeoutMs: number
  maxTickGapMs: number
  /** Fingerprint of the source that the product's prices came from when the order was accepted. */
  source: string
}
/** R1: the entry is the first tick after the order was accepted, the exit the last tick up to its close. */
export type R1Terms = CommonTerms & { rule: 'R1' }
/** What R2 has besides the terms of R1. */
export type AveragingTerms = {
  /** The entry is later than this long after `acceptedAt`. */
  entryDelayMs: number
  /** The exit is the mean of the ticks in this long before `closeAt`. */
  exitWindowMs: number
  /** The fraction of these ticks that is left out at each end of the sorted prices; below 5,000. */
  exitCutBp: number
  /** With fewer ticks in the window the exit is the mean of the newest ones, at most this many. At least 1. */
  exitMinTicks: number
}
/** R2: the entry comes after a delay, the exit is the mean of a window before the close. */
export type R2Terms = CommonTerms & AveragingTerms & { rule: 'R2' }
/** The terms an order was placed under; later changes do not affect them. */
export type Terms = R1Terms | R2Terms

/** A source of a product's prices: its ticks are those later than `sinceAt`, until the next source's `sinceAt`. */
export type SettleSource = { sinceAt: number; fingerprint: string }
export type SettleOrder = { direction: 'up' | 'down'; amount: Minor; acceptedAt: number; closeAt: number }
/** `price` is an integer at the terms' `priceDecimals`. */
export type SettleTick = { seq: number; at: number; price: PriceUnits }
/** Time that the feed did not cover: it misses the instants t with from < t ≤ to; `to` is null while it lasts. */
export type Gap = { from: number; to: number | null }

/** The exit of rule R2: the mean of `ticks` prices, which is `sum` / `ticks`. */
export type MeanExit = {
  /** The mean as an integer at `priceDecimals` + 1, rounded half up: for display, no result depends on it. */
  value: bigint
  /** The sum of the prices, an integer at `priceDecimals`. A bigint: many large prices exceed 2^53. */
  sum: bigint
  /** How many prices the mean has. */
  ticks: number
  /** The first and the last tick that the rule looked at, those that it left out included. */
  from: number
  to: number
}
export type Exit = SettleTick | MeanExit

export type RefundReason = 'SOURCE_CHANGED' | 'FEED_DOWN' | 'NO_ENTRY' | 'ONE_TICK' | 'STALE_EXIT'
export type FinalStatus = 'won' | 'lost' | 'tied' | 'refunded'
export type Settlement = {
  status: FinalStatus
  reason: RefundReason | null
  entry: SettleTick | null
  /** A tick by R1, a mean by R2. */
  exit: Exit | null
  payout: Minor
  pnl: Minor
}
