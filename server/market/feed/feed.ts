import type { SkippedRows } from '../../../contract/recordingReader.ts'
import type { Clock, Random, LogLine } from '../../platform/ports.ts'

/** The source of a product's ticks: one that computes them from the time, or one that listens to an exchange. */
export type Feed = ComputedFeed | LiveFeed

/**
 * A feed that is a function of time alone: the same instants produce the same ticks, so it needs no state and continues
 * after a restart.
 */
export type ComputedFeed = {
  readonly kind: 'computed'
  /** The ticks with after < at ≤ until, as a flat list of (at, price units, size units). */
  due(after: number, until: number): readonly number[]
  /** Whether the product trades at `t`, and when that changes. */
  tradingHoursAt(t: number): FeedTradingHours
  /** The price before the first tick, in units. */
  readonly openingPrice: number
  /** Computed history: how many ticks have `at` ≤ t, and the nth of them (from 0). */
  countAt(t: number): number
  tickOf(n: number): FeedTick
  /** After `ms`, a whole number of hours, its ticks come again with numbers higher by `ticks`; undefined if they do not. */
  readonly cycle?: { ms: number; ticks: number } | undefined
}
export type FeedTick = { at: number; price: number; size: number }
export type FeedTradingHours = { open: boolean; opensAt: number | null; closesAt: number | null }

/**
 * A tick of an exchange. `at` is its arrival at the venue, ms; price and size are in units. `sourceId` and `sourceAt`
 * (ms) are the exchange's own, for comparison with what it publishes.
 */
export type LiveTick = { at: number; price: number; size: number; sourceId: string; sourceAt: number }

/** The state of a live feed at one instant. Until `committed` is called, the next reading contains all of it again. */
export type LiveReading = {
  /** In order of arrival, committed < at ≤ coveredUntil. */
  ticks: readonly LiveTick[]
  /**
   * Every tick of the source up to here is in `ticks` or committed. It never falls, is never above `now`, and does not
   * move while the source is not received in full.
   */
  coveredUntil: number
  /**
   * Time that was lost permanently: (from, to]. The feed continues after `to`. The time from `start` until the source
   * is received for the first time is lost too; before that `coveredUntil` does not move.
   */
  gaps: readonly { from: number; to: number }[]
}

/** A feed that listens to an exchange. */
export type LiveFeed = {
  readonly kind: 'live'
  read(now: number): LiveReading
  /** Everything up to `until` is in the log, so buffers release it. */
  committed(until: number): void
  tradingHoursAt(t: number): FeedTradingHours
  /** The price in the exchange's snapshot, in units; null until there is one. No order settles on it. */
  readonly openingPrice: number | null
  /** Whether it listens already: what was lost before is in its gaps. */
  readonly isListening: boolean
  /** Starts to listen. It resolves at once: a connection that fails is retried. */
  start(): Promise<void>
  close(): Promise<void>
}

type SourceFacts = {
  /**
   * Changes whenever the ticks would change: another fingerprint means another source. It begins with the kind of
   * source, and is public.
   */
  readonly fingerprint: string
  /** The text of the product's `source`. */
  readonly label: string
}

/** A computed feed that is configured but not started: it starts once the product's epoch is known. */
export type ComputedSource = SourceFacts & {
  readonly kind: 'computed'
  /** How much of the past the feed can compute before its first start, ms. */
  readonly historyMs: number
  /** The rows of the source that are not ticks; null if it has no rows. */
  readonly skipped: SkippedRows | null
  /** `epoch` is the instant of the feed's first possible tick. */
  open(epoch: number): ComputedFeed
}

/** What a live feed needs of the venue. */
export type LiveParts = {
  clock: Clock
  random: Random
  logLine: LogLine
}

/** What a live feed needs of a product. */
export type LiveProduct = {
  id: string
  /** The name of an exchange, or `ccxt:` and the id of one. */
  exchange: string
  symbol: string
  priceDecimals: number
  sizeDecimals: number
  tradingHoursAt: (t: number) => FeedTradingHours
}

/** A live feed that is configured but not opened. */
export type LiveSource = SourceFacts & {
  readonly kind: 'live'
  /** Connects to nothing: the feed does when it is started. */
  open(parts: LiveParts): LiveFeed
}

export type FeedSource = ComputedSource | LiveSource

export const noTicks: readonly number[] = []
