/**
 * The source of a product's ticks. A feed is a function of time alone: the same instants produce the same ticks, so
 * it needs no state and continues after a restart.
 */
export type Feed = {
  /** The ticks with after < at ≤ until, as a flat list of (at, price units, size units). */
  due(after: number, until: number): readonly number[]
  /** Whether the product trades at `t`, and when that changes. */
  tradingHoursAt(t: number): FeedTradingHours
  /** The price before the first tick, in units. */
  readonly openingPrice: number
  /** Computed history: how many ticks have `at` ≤ t, and the n-th of them (from 0). */
  countAt(t: number): number
  tickOf(n: number): FeedTick
}
export type FeedTick = { at: number; price: number; size: number }
export type FeedTradingHours = { open: boolean; opensAt: number | null; closesAt: number | null }

/** A feed that is configured but not started: it starts once the venue knows the product's epoch. */
export type FeedSource = {
  /**
   * Changes whenever the ticks would change: another fingerprint means another source. It begins with the kind of
   * source, and is public.
   */
  readonly fingerprint: string
  /** The text of the product's `source`. */
  readonly label: string
  /** How much of the past the feed can compute before its first start, ms. */
  readonly historyMs: number
  /** How many rows of the source are not ticks. */
  readonly skipped: number
  /** `epoch` is the instant of the feed's first possible tick. */
  open(epoch: number): Feed
}

export const noTicks: readonly number[] = []
