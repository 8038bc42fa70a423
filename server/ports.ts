/**
 * The interfaces between the venue's modules. Modules are built in `modules.ts` from these parts, so that tests build
 * the same venue with their own clock, feed, random source and database.
 */
import type { Candle } from '../contract/candles.ts'
import type { ChainVersion, Head, WireTick } from '../contract/chain.ts'
import type { Ticker, Category, Duration, ProductStatus, Source } from '../contract/products.ts'
import type { Order, PlaceRequest } from '../contract/orders.ts'
import type { AveragingTerms, Gap, SettleTick } from '../contract/settle.ts'
import type { FeedStatus, MemberEvent, SessionEvent } from '../contract/socket.ts'
import type { Timeframe } from '../contract/candles.ts'
import type { Bus } from './cluster/bus.ts'
import type { WithinTransaction } from './db/database.ts'
import type { Provenance } from './market/log/provenance.ts'
import type { WitnessVerdict } from './market/witness.ts'

/** The venue's clock: epoch milliseconds that never run backwards, and timers on it. */
export type Clock = {
  now(): number
  /** Runs once at or after `instant`; the returned function cancels it. `run` must handle its own failures. */
  at(instant: number, run: () => void | Promise<void>): () => void
}

/** A cryptographic source of randomness, injected so that a test can replay a run. */
export type Random = { bytes(length: number): Uint8Array; uuid(): string }

/** Logs one line for the operator: `info` is good news, `warn` an anomaly that passes, `error` needs somebody to act. */
export type LogLine = (level: LogLevel, what: string) => void
export type LogLevel = 'info' | 'warn' | 'error'
/** Reports a failure that its caller survives. */
export type Report = (message: string, error: unknown) => void

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
  /** Of a witness: its product. It takes no orders and is in no list. */
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

/** Publishes changes to members; realtime knows which sockets they have. */
export type MemberBus = {
  emit(memberId: string, event: MemberEvent, payload: unknown): void
  /** Sends `session` to the sockets of one session and disconnects them. */
  endSession(sessionId: string, reason: SessionEvent['reason']): void
}

export type Principal = { memberId: string; sessionId: string }

/** Identifies the member of a request by the session cookie, and by the CSRF token for requests that change data. */
export type Authenticator = {
  /** The live session of a cookie, or null; records that the session was used. */
  findBySid(sid: string): Promise<(Principal & { csrfHash: string }) | null>
  /** The session of a cookie as of its last lookup, from memory only; null if it is not cached. */
  cachedSessionId(sid: string): string | null
  csrfMatches(csrfHash: string, token: string): boolean
}

/** The stored first answer to a request with an idempotency key. */
export type StoredAnswer = { status: number; body: unknown }

/**
 * Looks up an `Idempotency-Key` before the request is validated. A replay is sent unchanged; a mismatch, or a concurrent
 * duplicate that takes too long, is thrown as an ApiError. With `proceed` the key is locked for this request until
 * `release`, which is called once, when the answer is known. The answer is stored in the transaction of the effect.
 * `body` is the parsed JSON before schema validation; its fingerprint does not depend on the order of its keys.
 */
export type Idempotency = {
  /** @param deferLookup the key is only locked: the caller looks it up with `find` if the request fails */
  begin(
    memberId: string,
    method: string,
    path: string,
    key: string,
    body: unknown,
    deferLookup?: boolean,
  ): Promise<{ replay: StoredAnswer } | LockedKey>
}

/** A key that no other request of this process can use until it is released. */
export type LockedKey = {
  proceed: true
  release: () => void
  /** The stored first answer; null if the key is new. @throws `IDEMPOTENCY_MISMATCH` if its body was another one */
  find: () => Promise<StoredAnswer | null>
}

/** An order request of a member's session, with its idempotency key. */
export type PlaceCommand = Principal & { key: string; fingerprint: string; order: PlaceRequest }

/** The placement of orders for other nodes, on the leader itself or by request to it. */
export type Placer = {
  /**
   * Places an order.
   * @throws KeyUsedError if the key was used before, maybe by this very order, if it was requested twice
   * @throws ApiError, `UNAVAILABLE` if no leader has answered until the order's `validUntil`: it may have been placed
   */
  place(command: PlaceCommand): Promise<Order>
  /** Waits while the leader places an order with this key. */
  awaitPlacement(memberId: string, key: string): Promise<void>
}

/** A node's view of the others. */
export type Cluster = {
  isLeading(): boolean
  /**
   * The connection to the other nodes, how many flushes it did not bring, so that they were read from the database, how
   * many of its messages were dropped, and how often the leader's time was refused as a step.
   */
  bus(): {
    isConnected: boolean
    missedFlushes: number
    dropped: ReturnType<Bus['dropped']>
    refusedSteps: number
  }
  /** Requests orders from the leader. */
  remotePlacer: Placer
  /** Places the orders of the other nodes while this one leads. */
  answerPlacements(placer: Placer): void
  /** Publishes to a member's sockets on every node. */
  relay(local: MemberBus): MemberBus
}
