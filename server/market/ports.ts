import type { Candle, Timeframe } from '../../contract/candles.ts'
import type { ChainVersion, Head, WireTick } from '../../contract/chain.ts'
import type { Category, Duration, ProductStatus, Source, Ticker } from '../../contract/products.ts'
import type { AveragingTerms, Gap, SettleTick } from '../../contract/settle.ts'
import type { FeedStatus } from '../../contract/socket.ts'
import type { WithinTransaction } from '../platform/db/database.ts'
import type { Provenance } from './log/provenance.ts'
import type { WitnessVerdict } from './witness.ts'

/** The settlement rule of new orders, with the terms that only it has. */
export type SettlementRule = { rule: 'R1' } | ({ rule: 'R2' } & AveragingTerms)

/** A product of the operator's table. Amounts are the contract's money strings. */
export type ProductSettings = {
  id: string
  code: string
  category: Category
  names: Record<string, string>
  priceDecimals: number
  sizeDecimals: number
  durations: Duration[]
  maxTickGapMs: number
  entryTimeoutMs: number
  settlement: SettlementRule
  recommended: boolean
  source: string
  /** The second source with which its prices are compared: a product of its own. */
  witness?: { id: string; maxDeviationBp: number } | undefined
  /** For a witness: its product. It takes no orders and is in no list. */
  witnessOf?: string | undefined
}

export type TradingHours = { status: ProductStatus; opensAt: number | null; closesAt: number | null }

/** Consecutive ticks of one product: `values` is a flat list of (at, price units, size units) triples. */
export type TickBlock = {
  id: string
  ix: number
  seq0: number
  values: readonly number[]
  /** Where the ticks of a live source come from. */
  provenance?: Provenance | undefined
}
/** What one flush committed: the ticks of all products up to `at`. A live product may be covered less far. */
export type Flush = { at: number; blocks: readonly TickBlock[] }

export type TickSlice = { ticks: WireTick[]; complete: boolean; before: Head | null }

/** The market, read only: no method writes a tick, and there is no other access to the log. */
export type Market = {
  readonly ids: readonly string[]
  settings(id: string): ProductSettings | undefined
  /** The venue-wide number of a product in `ticks` frames; fixed while the process runs. */
  index(id: string): number
  ticker(id: string): Ticker
  tradingHours(id: string): TradingHours
  head(id: string): Head
  /** Every tick of the product up to here is committed, and none will be added. */
  watermark(id: string): number
  /** The instant of the newest flush. */
  flushedAt(): number
  /** How the product's ticks are hashed. */
  chain(id: string): ChainVersion
  lastTickAt(id: string): number
  feedStatus(id: string): FeedStatus
  /** How the product's prices compare with its second source at the newest flush; a product without one agrees. */
  witnessVerdict(id: string): WitnessVerdict
  /** Whether its ticks are few: see `thin` in `contract/products.ts`. */
  isThin(id: string): boolean
  /** 48 closes of half hours, oldest first, as numbers at the product's scale. */
  spark(id: string): Promise<number[]>
  /** Prices and volumes as decimal numbers; ascending, `to` exclusive. */
  candles(id: string, tf: Timeframe, to: number, limit: number): Promise<Candle[]>
  /** Throws ApiError `PRUNED` if the log no longer reaches back that far. */
  ticksAfter(id: string, afterSeq: number, limit: number): Promise<TickSlice>
  ticksBetween(id: string, from: number, to: number, limit: number): Promise<TickSlice>
  /** First logged tick with after < at ≤ until. */
  firstTick(id: string, after: number, until: number): Promise<SettleTick | null>
  /** Last logged tick with at ≤ until. */
  lastTick(id: string, until: number): Promise<SettleTick | null>
  /** Logged ticks with after < at ≤ until, ascending; if they are fewer than `min`, the newest `min` with at ≤ until. */
  ticksUntil(id: string, after: number, until: number, min: number): Promise<SettleTick[]>
  gaps(id: string): Promise<Gap[]>
  /** Every source that the product has had, oldest first; fixed while the process runs. */
  sources(id: string): readonly Source[]
  /** After each commit, before any client sees it. */
  onFlush(listener: (flush: Flush) => void): () => void
  /** When a product opens, closes, or enters or leaves maintenance. */
  onTradingHours(listener: (id: string, tradingHours: TradingHours) => void): () => void
  /** Maintenance stops new orders only; the feed continues for accepted ones. `within` runs in the same transaction. */
  setMaintenance(id: string, on: boolean, opensAt: number | null, within?: WithinTransaction): Promise<void>
}

/** The part of the market that entries and settlement read. */
export type TickSource = Pick<
  Market,
  'settings' | 'sources' | 'watermark' | 'firstTick' | 'lastTick' | 'ticksUntil' | 'gaps' | 'onFlush'
>
