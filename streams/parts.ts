/** What `createStreams` (index.ts) is given: the wire, the REST calls, and what it would otherwise read from a browser. */
import type { Observable, ObservableInput, SchedulerLike } from 'rxjs'
import type { Timeframe } from '../contract/candles.ts'
import type { Message, MessageCategory } from '../contract/content.ts'
import type { Assets } from '../contract/ledger.ts'
import type { Order, PlaceRequest, Proof } from '../contract/orders.ts'
import type { Product, ProductDetail, RestCandle, TicksAnswer } from '../contract/products.ts'
import type { PageOf, ReadMessages, StoredPlacement, TicksQuery } from './types.ts'

export type StreamsParts = {
  wire: Wire
  api: Api
  placementStore: PlacementStore
  /** Without it, orders that ended while the app was not running are not reported. */
  seenOpen?: SeenOpen
  /** A UUID that needs no secure context. */
  newKey: () => string
  /** Monotonic milliseconds (`performance.now`), for the venue clock. */
  monotonic: () => number
  scheduler?: SchedulerLike
  /** One emission per animation frame; tests inject their own. */
  animationFrame$?: Observable<unknown>
}

/** The streams' view of socket.io; wire.ts implements it. */
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
  /** `isDecoded`: made in this process by its types, so it is not validated; of ticks it is a frame. */
  | { kind: 'event'; name: string; data: unknown; isDecoded?: boolean }

/** The REST calls that the streams need; implemented by `src/api` or by a test. They only fail with a `Failure`. */
export type Api = {
  products: () => Promise<Product[]>
  product: (id: string) => Promise<ProductDetail>
  ticks: (id: string, query: TicksQuery) => Promise<TicksAnswer>
  candles: (id: string, tf: Timeframe, to: number | undefined, limit: number) => Promise<RestCandle[]>
  positions: () => Promise<Order[]>
  order: (id: string) => Promise<Order>
  proof: (id: string) => Promise<Proof>
  /** @param openedFor the member who was shown the order's terms */
  place: (key: string, order: PlaceRequest, openedFor?: string) => Promise<Order>
  /** The order of a key; whether a 404 is final depends on its `at`. */
  orderByKey: (key: string) => Promise<Order>
  assets: () => Promise<Assets>
  /**
   * A page of the member's messages, of one category or all, newest first; the one after `cursor` if passed. The results
   * of each hour are one row.
   */
  messages: (cursor?: string, category?: MessageCategory) => Promise<PageOf<Message>>
  readMessages: (which: ReadMessages) => Promise<void>
}

/** Stores an intent until its outcome is known; survives a reload. Implemented by `src/`. */
export type PlacementStore = {
  load: () => StoredPlacement[]
  save: (intent: StoredPlacement) => void
  drop: (key: string) => void
}

/** The ids of the orders that this device saw open and whose end it has not reported. Implemented by `src/`. */
export type SeenOpen = {
  load: () => ObservableInput<readonly string[]>
  add: (ids: readonly string[]) => void
  forget: (ids: readonly string[]) => void
}
