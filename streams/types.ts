/**
 * The types of everything the app can subscribe to. `createStreams` (index.ts) builds it from injected parts
 * (parts.ts); the app has no access to Subjects or the socket.
 */
import type { Observable } from 'rxjs'
import type { EpochMs, Minor, PriceUnits, SizeUnits } from '../contract/units.ts'
import type { Candle, Timeframe } from '../contract/candles.ts'
import type { Message, MessageCategory, ServiceMessage } from '../contract/content.ts'
import type { Order, Proof } from '../contract/orders.ts'
import type { Duration, Ticker, Product, ProductDetail } from '../contract/products.ts'
import type { Assets, LedgerEntry } from '../contract/ledger.ts'
import type { FeedStatus, MemberEvent, SessionEvent, WitnessRejection } from '../contract/socket.ts'
import type { Countdown, EndedOrder, LivePnl, OrderDraft, StoredPlacement } from './member/orders/types.ts'

export type * from './member/orders/types.ts'

/** Keeps the previous value while a newer one is loading, or while the wire is down. */
export type Loadable<T> =
  | { state: 'loading' }
  | { state: 'ready'; value: T; fresh: boolean }
  | { state: 'failed'; failure: Failure; value?: T }

/**
 * A stream that emits its newest value to each new subscriber. `newest` is that value without subscribing, so that a
 * page can render with it at once; undefined without a subscriber or a value.
 */
export type Replaying<T> = Observable<T> & { newest: () => T | undefined }

/** Parses what came over the wire; a schema of the contract. */
export type Schema<T> = { safeParse(data: unknown): { success: true; data: T } | { success: false } }

/** An error answer of the venue with its code, or the reason why there was no answer. */
export type Failure =
  | {
      kind: 'rejected'
      status: number
      code: string
      params: Record<string, unknown>
      fields: Record<string, string>
      /** The answer's `Server-Time`. */
      at: number
    }
  | { kind: 'timeout' }
  | { kind: 'offline' }
  | { kind: 'broken' }

/** `rejected`: the venue does not accept this client (wrong origin, other version). */
export type ConnectionState = 'idle' | 'connecting' | 'online' | 'reconnecting' | 'rejected'
export type Connection = {
  state: ConnectionState
  /** Online, but heartbeats are overdue: prices may be old. */
  stale: boolean
  /** Venue time of the newest heartbeat; undefined before the first. */
  lastHeartbeatAt: number | undefined
  attempt: number
}

export type VenueClock = {
  /** Best estimate of the venue's clock in ms; monotonic, slewed, never the device's own. */
  now: () => number
  /** Whether a probe has been answered yet. */
  readonly synced: boolean
  /** Emits `now()` once a second, on the venue's whole seconds. */
  second$: Observable<number>
}

/** The current state of one product; prices and sizes are integers at the product's decimals. */
export type Quote = {
  id: string
  price: PriceUnits
  at: EpochMs
  seq: number
  priceDecimals: number
  /** Compared with the previous tick. */
  move: 'up' | 'down' | 'level'
  ticker: Ticker
  feed: FeedStatus
  /** Why the product's witness rejects new orders; undefined while it agrees, or if there is none. */
  witness: WitnessRejection | undefined
  /** No recent tick or heartbeat confirms this price: grey it and accept no order on it. */
  stale: boolean
} & Sides

/** Bid and ask of a recording that has them, as a replay passes them on; a venue's prices have none. */
export type Sides = { bid?: PriceUnits; ask?: PriceUnits }

/** A quote has no size: it is 0. */
export type Tick = { seq: number; at: EpochMs; price: PriceUnits; size: SizeUnits } & Sides

/**
 * A product's ticks from `seq0` on, as a frame brings them: `values` is a flat list of (at, price, size), integers at
 * the product's decimals. An empty run starts the sequence: the next tick is `seq0`.
 */
export type TickRun = { seq0: number; values: readonly number[] }
/** The logged ticks after a sequence number, or from an instant on; a page at a time. */
export type TicksQuery = { afterSeq: number } | { from: number }
/** `failed`: earlier ticks could not be loaded. */
export type TicksEvent = { kind: 'run'; run: TickRun } | { kind: 'failed'; failure: Failure }

/** Decimal places of a product's prices and sizes. */
export type Scale = { priceDecimals: number; sizeDecimals: number }

/**
 * Strictly ascending bars: a snapshot first, then updates of the last bar or a newer one. Under a minute also the buckets
 * without a tick have their bar, at the price before them, also the newest, unless the market was closed for long.
 */
export type CandleEvent =
  | { kind: 'snapshot'; candles: readonly Candle[] }
  | { kind: 'older'; candles: readonly Candle[]; done: boolean }
  | { kind: 'live'; candle: Candle }
/** A chart's candles in decimal prices. `loadOlder` fetches the page before the oldest bar, one at a time. */
export type CandleFeed = { events$: Observable<CandleEvent>; loadOlder: () => void }

/** The states of placing an order. `unknown`: the answer was lost, and the key is being looked up. */
export type Placement =
  | { state: 'sending'; intent: StoredPlacement }
  | { state: 'unknown'; intent: StoredPlacement; since: number }
  | { state: 'accepted'; intent: StoredPlacement; order: Order }
  | { state: 'rejected'; intent: StoredPlacement; failure: Failure }
  | { state: 'expired'; intent: StoredPlacement }

export type Orders = {
  /** Accepted, open and settling orders; fetched after each connect, then updated by events. */
  open$: Observable<Loadable<Order[]>>
  /** Every order event, for lists that patch themselves. */
  event$: Observable<Order>
  order$: (id: string) => Observable<Loadable<Order>>
  /**
   * The orders that ended, oldest first, each once: also while the wire was down, or while the app was not running if this
   * device had seen them open.
   */
  ended$: Observable<readonly EndedOrder[]>
  countdown$: (order: Pick<Order, 'acceptedAt' | 'closeAt' | 'status'>) => Observable<Countdown>
  pnl$: (order: Order) => Observable<LivePnl>
  /** Σ of all open positions' P&L "if it ended now", minor units. */
  openPnl$: Observable<Minor | undefined>
  /** The same of some of them. */
  pnlSum$: (orders: readonly Order[]) => Observable<Minor | undefined>
  /** Places an order; a second call while one of the same draft is in flight joins it. */
  place: (draft: OrderDraft) => Observable<Placement>
  /**
   * The outcome of each order that was placed or resumed here, whether its page still listens or not. Without a
   * subscriber they are kept for the first one, until another session takes over.
   */
  outcome$: Observable<Placement>
  /** Intents that a reload interrupted, each until its outcome. */
  resumed$: Observable<Placement>
}

/** A page of a list as the venue answers it; `nextCursor` is null at the end. */
export type PageOf<T> = { items: readonly T[]; nextCursor: string | null }

/** How a list is filtered, sorted and updated; `id` identifies an item. */
export type ListRules<T> = {
  /** Whether an item belongs to the list, by the venue's own filters; left out if every one does. */
  belongs?: (item: T) => boolean
  /** The venue's order: negative if `a` comes first. Left out if what events bring always comes first. */
  compare?: (a: T, b: T) => number
  /** Whether `next` replaces `known`, which has the same id; left out if items never change. */
  isNewer?: (next: T, known: T) => boolean
}
export type PagedListParts<T> = ListRules<T> & {
  /** Loads the page after `cursor`, or the first one; rejects with a {@link Failure}. */
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<PageOf<T>>
  event$?: Observable<T>
  /** The list starts over when it has more items than this. */
  itemsMax?: number
}
export type ListState<T> = {
  items: readonly T[]
  /** Undefined before the first page, null at the end. */
  cursor: string | null | undefined
  loading: boolean
  failure: Failure | undefined
}
export type PagedList<T> = {
  state$: Observable<ListState<T>>
  /** Loads the next page, if there is one and none is loading. */
  more: () => void
  /** Repeats the last request. */
  retry: () => void
  /** Loads the first page again; loaded pages that follow it stay. */
  reload: () => void
  /** Inserts or updates items, for example from an own call's answer. */
  upsert: (...items: T[]) => void
}

export type ResourceParts<T> = {
  /** Rejects with a {@link Failure}. */
  fetch: (signal: AbortSignal) => Promise<T>
  event$?: Observable<T>
  /** Whether `next` replaces `known`; left out if it always does. */
  isNewer?: (next: T, known: T) => boolean
}
export type Resource<T> = {
  value$: Observable<Loadable<T>>
  reload: () => void
  /** Applies a value from an own call's answer. */
  put: (value: T) => void
}

export type ReadMessages = { ids: string[] } | { all: true }
export type Messages = PagedList<Message> & {
  /** Marks messages as read, on screen at once. Returns the failure if the venue rejected it. */
  read: (which: ReadMessages) => Promise<Failure | undefined>
}

/** A chain head that the venue announced while this client listened, with the product's watermark at that time. */
export type SeenHead = {
  seq: number
  hash: string
  watermark: number
  /** The venue's time when it was announced. */
  seenAt: number
}

/**
 * What the socket received in the last ten seconds of prices, as it arrived: frames of the newest runs of each product,
 * gaps and repetitions included.
 */
export type RecentFrames = {
  products: readonly ({ id: string } & Scale)[]
  /** In order of arrival, by the venue's clock. */
  frames: readonly { receivedAt: EpochMs; blocks: readonly ({ id: string } & TickRun)[] }[]
}

export type Streams = {
  connection$: Observable<Connection>
  clock: VenueClock
  /** The product table; its ticker fields are as fetched, quotes have the live ones. Fetched again after a reconnect. */
  catalog$: Observable<Loadable<Product[]>>
  recommended$: Observable<Loadable<Product[]>>
  product$: (id: string) => Observable<Loadable<ProductDetail>>
  /**
   * Every tick, gapless and in order, one emission per frame of the wire. The first emission is an empty run, and after
   * a gap that could not be filled there is another.
   */
  run$: (id: string) => Observable<TickRun>
  /** Like `run$`, after the logged ticks from the instant `from` on. */
  ticksSince$: (id: string, from: number) => Observable<TicksEvent>
  /** The last quote, then each new one: at most one per animation frame, in the same frame for all products. */
  quote$: (id: string) => Observable<Quote>
  /** The quote that `quote$` emitted last, or would emit first. */
  lastQuote: (id: string) => Quote | undefined
  candles: (id: string, tf: Timeframe) => CandleFeed
  orders: Orders
  /** Heads of a product's chain that this client received live, oldest first; proofs are compared with them. */
  seenHeads: (id: string) => readonly SeenHead[]
  assets$: Observable<Loadable<Assets>>
  ledger$: Observable<LedgerEntry>
  messages: Messages
  /** The messages of one category, for as long as they are subscribed. */
  messagesOf: (category: MessageCategory) => Messages
  /** New messages of both sides in the member's thread with customer service. */
  service$: Observable<ServiceMessage>
  /** A member event by name: unmodified, or what matches `schema`. */
  event$: {
    (name: MemberEvent): Observable<unknown>
    <T>(name: MemberEvent, schema: Schema<T>): Observable<T>
  }
  /** Data of the member for as long as it is subscribed: a single resource, or a list. */
  resource: <T>(parts: ResourceParts<T>) => Resource<T>
  pagedList: <T extends { id: string }>(parts: PagedListParts<T>) => PagedList<T>
  session$: Observable<SessionEvent>
  notice$: Observable<{ siteStatus: 'up' | 'maintenance'; until: number | null }>
  /** The newest frames of prices, for a report; of products whose decimals are known. */
  recentFrames: () => RecentFrames
  /** Bad frames and events, counted and dropped. */
  dropped: () => number
  /** Connects, or reconnects with the cookie of a new session. */
  reconnect: () => void
  /** The tab resumed or the network is back: probes the clock and fetches what is shown again. */
  refresh: () => void
  close: () => void
}

export type {
  Assets,
  Candle,
  Duration,
  Ticker,
  LedgerEntry,
  Message,
  Order,
  Product,
  ProductDetail,
  Proof,
  ServiceMessage,
  Timeframe,
}
