/**
 * Where a product's ticks come from. A feed is a function of time alone: the same instants give the same ticks, so
 * that it needs no state of its own and goes on by itself after a restart.
 */
export type Feed = {
  /** The ticks with after < at ≤ until, as (at, price units, size units) three by three. */
  due(after: number, until: number): readonly number[]
  /** When the product trades, and when that changes. */
  tradingHoursAt(t: number): FeedTradingHours
  /** The price before any tick: what a product shows that has not ticked yet, in units. */
  readonly openingPrice: number
  /** The past that can be computed: how many ticks have `at` ≤ t, and the n-th of them (from 0). */
  countAt(t: number): number
  tickOf(n: number): FeedTick
}
export type FeedTick = { at: number; price: number; size: number }
export type FeedTradingHours = { open: boolean; opensAt: number | null; closesAt: number | null }

/** A feed that is known but not begun: it starts when the venue knows since when the product has run. */
export type FeedSource = {
  /**
   * Changes whenever the ticks would: a source with another fingerprint is another source. It begins with the kind,
   * and is public.
   */
  readonly fingerprint: string
  /** What the product's `source` says. */
  readonly label: string
  /** How much of the past the feed can compute before its first start, ms. */
  readonly historyMs: number
  /** Rows of the source that were no tick. */
  readonly skipped: number
  /** `epoch` is the instant of the feed's first possible tick. */
  open(epoch: number): Feed
}

export const noTicks: readonly number[] = []
