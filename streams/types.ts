/**
 * The typed table of everything the app may watch. `createStreams` (index.ts) makes it from three injected parts;
 * the app sees no Subject and no socket.
 */
import type { Observable, SchedulerLike } from 'rxjs'
import type { Candle, Timeframe } from '../contract/candles.ts'
import type { Message, ServiceMessage } from '../contract/content.ts'
import type { Direction, Order, PlaceRequest, Proof } from '../contract/orders.ts'
import type {
  Duration,
  Ticker,
  Product,
  ProductDetail,
  RestCandle,
  TicksAnswer,
} from '../contract/products.ts'
import type { Assets, LedgerEntry } from '../contract/session.ts'
import type { FeedStatus, MemberEvent, SessionEvent } from '../contract/socket.ts'

/** Keeps what was there while something newer is on its way, or while the wire is down. */
export type Loadable<T> =
  | { state: 'loading' }
  | { state: 'ready'; value: T; fresh: boolean }
  | { state: 'failed'; failure: Failure; value?: T }

/** A refusal of the venue, told by its code; or what kept an answer from coming. */
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

/** REST as the streams need it; made by `src/api`, or by a test. Every call fails with a {@link Failure} only. */
export type Api = {
  products: () => Promise<Product[]>
  product: (id: string) => Promise<ProductDetail>
  ticksAfter: (id: string, afterSeq: number) => Promise<TicksAnswer>
  candles: (id: string, tf: Timeframe, to: number | undefined, limit: number) => Promise<RestCandle[]>
  positions: () => Promise<Order[]>
  order: (id: string) => Promise<Order>
  proof: (id: string) => Promise<Proof>
  place: (key: string, order: PlaceRequest) => Promise<Order>
  /** The order of a key; a 404 is a refusal whose `at` tells whether it is final. */
  orderByKey: (key: string) => Promise<Order>
  assets: () => Promise<Assets>
  /** A page of the member's messages, newest first; after a cursor where one is given. */
  messages: (cursor?: string) => Promise<MessageBox>
  readMessages: (which: ReadMessages) => Promise<void>
}

/** The five states of the connection. `refused`: the venue will not have us (wrong origin, other version). */
export type ConnectionState = 'idle' | 'connecting' | 'online' | 'reconnecting' | 'rejected'
export type Connection = {
  state: ConnectionState
  /** Online, but no heartbeat for longer than the venue promises: prices may be old. */
  stale: boolean
  /** Venue time at which the newest heartbeat or frame came in; undefined before the first. */
  lastHeartbeatAt: number | undefined
  attempt: number
}

export type VenueClock = {
  /** Milliseconds of the venue's clock as best known; monotonic, slewed, never the device's own. */
  now: () => number
  /** Whether a probe has been answered since the start. */
  readonly synced: boolean
  /** Emits `now()` once a second, on the venue's whole seconds. */
  second$: Observable<number>
}

/** One product as it stands; prices and sizes are integers at the product's decimals. */
export type Quote = {
  id: string
  price: number
  at: number
  seq: number
  priceDecimals: number
  /** Against the tick before: a level price is no fall. */
  move: 'up' | 'down' | 'level'
  ticker: Ticker
  feed: FeedStatus
  /** No tick or heartbeat that vouches for this price: grey it and hold no order on it. */
  stale: boolean
}

export type Tick = { seq: number; at: number; price: number; size: number }

/** Strictly ascending bars: a snapshot first, then the last bar again and again or a newer one. */
export type CandleEvent =
  | { kind: 'snapshot'; candles: readonly Candle[] }
  | { kind: 'older'; candles: readonly Candle[]; done: boolean }
  | { kind: 'live'; candle: Candle }
/** A chart's candles in decimal prices. `loadOlder` asks for the page before the oldest one; extra calls join. */
export type CandleFeed = { events$: Observable<CandleEvent>; loadOlder: () => void }

export type Countdown = { phase: 'running' | 'settling' | 'done'; remainingMs: number; totalMs: number }
/** Minor units "if it ended now"; undefined while there is no entry, or the price is stale. */
export type LivePnl = { pnl: number | undefined; price: number | undefined }

export type StoredPlacement = {
  /** Made and kept before sending: the key that makes a double tap, a retry and a reload one order. */
  key: string
  productId: string
  direction: Direction
  /** The contract's money string. */
  amount: string
  seconds: number
  rateBp: number
  validUntil: number
}
export type OrderDraft = Omit<StoredPlacement, 'key' | 'validUntil'>

/** The told flow of one order. `unknown`: the answer was lost, and the key is being looked up. */
export type Placement =
  | { state: 'sending'; intent: StoredPlacement }
  | { state: 'unknown'; intent: StoredPlacement; since: number }
  | { state: 'accepted'; intent: StoredPlacement; order: Order }
  | { state: 'rejected'; intent: StoredPlacement; failure: Failure }
  | { state: 'expired'; intent: StoredPlacement }

/** Where an intent is kept between its making and its outcome: survives a reload. Made by `src/`. */
export type PlacementStore = {
  load: () => StoredPlacement[]
  save: (intent: StoredPlacement) => void
  drop: (key: string) => void
}

export type Orders = {
  /** accepted, open and settling; fetched, then patched by events, again after each reconnect. */
  open$: Observable<Loadable<Order[]>>
  /** Every order event, for lists that patch themselves. */
  event$: Observable<Order>
  order$: (id: string) => Observable<Loadable<Order>>
  countdown$: (order: Pick<Order, 'acceptedAt' | 'closeAt' | 'status'>) => Observable<Countdown>
  pnl$: (order: Order) => Observable<LivePnl>
  /** Σ of all open positions' P&L "if it ended now", minor units. */
  openPnl$: Observable<number | undefined>
  /** Sends an intent; a second call while one of the same draft is on its way joins it. */
  place: (draft: OrderDraft) => Observable<Placement>
  /** Intents that a reload interrupted, each told to its end. */
  resumed$: Observable<Placement>
}

/** Messages newest first, as far as they were fetched; `nextCursor` is null where there are no older ones. */
export type MessageBox = { items: readonly Message[]; nextCursor: string | null }
export type ReadMessages = { ids: string[] } | { all: true }
export type Messages = {
  box$: Observable<Loadable<MessageBox>>
  /** Marks messages as read, on screen at once. Answers with why the venue did not take it. */
  read: (which: ReadMessages) => Promise<Failure | undefined>
  /** Fetches the next older page into the box. */
  more: () => Promise<Failure | undefined>
}

/** What rows read: flushed once a frame, shared by all. Prices never pass through component state. */
export type QuoteStore = {
  get: (id: string) => Quote | undefined
  /** Called once a frame when the product's quote changed; watching keeps the product subscribed (`latest` mode). */
  watch: (id: string, changed: () => void) => () => void
}

/** A chain head as the venue announced it while this client listened, with the product's watermark then. */
export type SeenHead = {
  seq: number
  hash: string
  watermark: number
  /** The venue's time when it was announced. */
  seenAt: number
}

export type Streams = {
  connection$: Observable<Connection>
  clock: VenueClock
  /** The product table, live fields as fetched; quotes carry the live ones. Fetched again after a reconnect. */
  catalog$: Observable<Loadable<Product[]>>
  recommended$: Observable<Loadable<Product[]>>
  product$: (id: string) => Observable<Loadable<ProductDetail>>
  /** Every tick, gapless and in order (`all` mode); late viewers get the newest. */
  tick$: (id: string) => Observable<Tick>
  /** Once a frame. */
  quote$: (id: string) => Observable<Quote>
  quotes: QuoteStore
  candles: (id: string, tf: Timeframe) => CandleFeed
  orders: Orders
  /** Heads of a product's chain that this client saw live, oldest first: what a proof is held against. */
  seenHeads: (id: string) => readonly SeenHead[]
  assets$: Observable<Loadable<Assets>>
  ledger$: Observable<LedgerEntry>
  messages: Messages
  /** Both sides of the member's thread with customer service, as they are written. */
  service$: Observable<ServiceMessage>
  /** A member event by name, as it came (checked against its schema where the contract has one). */
  event$: (name: MemberEvent) => Observable<unknown>
  session$: Observable<SessionEvent>
  notice$: Observable<{ siteStatus: 'up' | 'maintenance'; until: number | null }>
  /** Bad frames and events, counted and dropped. */
  dropped: () => number
  /** Connects, or connects anew with the cookie of a new session. */
  reconnect: () => void
  /** The tab woke, or the network came back: probe the clock and fetch what is shown again. */
  refresh: () => void
  close: () => void
}

/** socket.io as the streams see it; the one file that imports the client makes it from a URL. */
export type Wire = {
  /** Parsed events and transport changes, in order of arrival. */
  event$: Observable<WireEvent>
  subscribe: (products: string[], mode: 'all' | 'latest') => Promise<unknown>
  unsubscribe: (products: string[]) => Promise<unknown>
  clock: (t0: number) => Promise<unknown>
  connect: () => void
  disconnect: () => void
}
export type WireEvent =
  | { kind: 'up' }
  | { kind: 'down'; reason: string; willRetry: boolean }
  | { kind: 'attempt'; count: number }
  | { kind: 'event'; name: string; data: unknown }

export type StreamsParts = {
  wire: Wire
  api: Api
  placementStore: PlacementStore
  /** A uuid that needs no secure context. */
  newKey: () => string
  /** Monotonic milliseconds (`performance.now`), for the venue clock. */
  monotonic: () => number
  scheduler?: SchedulerLike
  /** One emission per animation frame; a test's own. */
  animationFrame$?: Observable<unknown>
}

export type {
  Assets,
  Candle,
  Duration,
  Ticker as Figures,
  LedgerEntry,
  Message,
  Order,
  Product,
  ProductDetail,
  Proof,
  ServiceMessage,
  Timeframe,
}
