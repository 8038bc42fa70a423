/**
 * What the rooms of the venue know of each other, and nothing more. Rooms are built in `rooms.ts` from these parts,
 * so that tests build the same venue with their own clock, feed, random source and database.
 */
import type { Candle } from '../contract/candles.ts'
import type { Head, WireTick } from '../contract/chain.ts'
import type { Ticker, Category, Duration, ProductStatus, Source } from '../contract/products.ts'
import type { Gap, SettleTick } from '../contract/settle.ts'
import type { FeedStatus, MemberEvent, SessionEvent } from '../contract/socket.ts'
import type { Timeframe } from '../contract/candles.ts'
import type { WithinTransaction } from './db/database.ts'

/** The venue's clock: epoch milliseconds that never run backwards, and timers on it. */
export type Clock = {
  now(): number
  /** Runs once at or after `instant`; the answer cancels it. A failure inside is the caller's to handle. */
  at(instant: number, run: () => void | Promise<void>): () => void
}

/** A cryptographic source of randomness, injected so that a test can replay a run. */
export type Random = { bytes(length: number): Uint8Array; uuid(): string }

/** A product as the operator's table states it. Amounts are the contract's money strings. */
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
  recommended: boolean
  source: string
}

export type TradingHours = { status: ProductStatus; opensAt: number | null; closesAt: number | null }

/** A run of consecutive ticks of one product: `values` holds (at, price units, size units) three by three. */
export type TickBlock = { id: string; ix: number; seq0: number; values: readonly number[] }
/** What one flush committed: every tick up to the watermark `at`, for all products together. */
export type Flush = { at: number; blocks: readonly TickBlock[] }

export type TickSlice = { ticks: WireTick[]; complete: boolean; before: Head | null }

/** The market, read only: no call of it writes a tick, and there is no other way to one. */
export type Market = {
  readonly ids: readonly string[]
  settings(id: string): ProductSettings | undefined
  /** The venue-wide number of a product in `ticks` frames; fixed while the process runs. */
  index(id: string): number
  ticker(id: string): Ticker
  tradingHours(id: string): TradingHours
  head(id: string): Head
  watermark(id: string): number
  lastTickAt(id: string): number
  feedStatus(id: string): FeedStatus
  /** 48 closes of half hours, oldest first, as numbers at the product's scale. */
  spark(id: string): Promise<number[]>
  /** Prices and volumes as decimal numbers; ascending, `to` exclusive. */
  candles(id: string, tf: Timeframe, to: number, limit: number): Promise<Candle[]>
  /** Throws Refusal 410 PRUNED where the log no longer reaches. */
  ticksAfter(id: string, afterSeq: number, limit: number): Promise<TickSlice>
  ticksBetween(id: string, from: number, to: number, limit: number): Promise<TickSlice>
  /** First logged tick with after < at ≤ until. */
  firstTick(id: string, after: number, until: number): Promise<SettleTick | null>
  /** Last logged tick with at ≤ until. */
  lastTick(id: string, until: number): Promise<SettleTick | null>
  gaps(id: string): Promise<Gap[]>
  /** Every source the product ever had, oldest first; fixed while the process runs. */
  sources(id: string): readonly Source[]
  /** After each commit, before any client sees it. */
  onFlush(listener: (flush: Flush) => void): () => void
  /** When a product opens, closes, or enters or leaves maintenance. */
  onTradingHours(listener: (id: string, tradingHours: TradingHours) => void): () => void
  /** Maintenance stops new orders only; the feed runs on for accepted ones. `within` shares its transaction. */
  setMaintenance(id: string, on: boolean, opensAt: number | null, within?: WithinTransaction): Promise<void>
}

/** What entries and settlement read of the market. */
export type TickSource = Pick<
  Market,
  'settings' | 'sources' | 'watermark' | 'firstTick' | 'lastTick' | 'gaps' | 'onFlush'
>

/** Tells members what changed; who is connected where is realtime's business. */
export type MemberBus = {
  emit(memberId: string, event: MemberEvent, payload: unknown): void
  /** Sends `session` to the sockets of one session and cuts them. */
  endSession(sessionId: string, reason: SessionEvent['reason']): void
}

export type Principal = { memberId: string; sessionId: string }

/** Who is behind a request: told by the session cookie, and by the token for calls that change something. */
export type Authenticator = {
  /** The live session of a cookie, its use noted; null where there is none. */
  findBySid(sid: string): Promise<(Principal & { csrfHash: string }) | null>
  /** The session that a cookie named when it was last looked up, from memory alone; null if it is not remembered. */
  cachedSessionId(sid: string): string | null
  csrfMatches(csrfHash: string, token: string): boolean
}

/** The stored first answer of a keyed call. */
export type StoredAnswer = { status: number; body: unknown }

/**
 * Looks up an `Idempotency-Key` before anything else is judged. A replay is sent as it was; a mismatch and a twin that
 * takes too long are thrown as refusals. With `proceed` the key is held for this request until `release`, which is
 * called once when the call's answer is known; the answer itself is stored in the effect's own transaction.
 * `body` is the parsed JSON as it came, before the schema read it: its fingerprint must not depend on the order of keys.
 */
export type Idempotency = {
  begin(
    memberId: string,
    method: string,
    path: string,
    key: string,
    body: unknown,
  ): Promise<{ replay: StoredAnswer } | { proceed: true; release: () => void }>
}
