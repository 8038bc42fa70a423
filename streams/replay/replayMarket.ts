import type { SchedulerLike } from 'rxjs'
import { epochMs } from '../../contract/units.ts'
import type { Sha256Hex } from '../../contract/chain.ts'
import { ticksPerFrameMax } from '../../contract/constants.ts'
import type { Ticker } from '../../contract/products.ts'
import type { FeedEvent, ProductEvent, SubscribeMode } from '../../contract/socket.ts'
import type { TickBlock } from '../../contract/tickFrame.ts'
import { createReplayClock, type ReplayClock } from './replayClock.ts'
import { ReplayedProduct, type ReplayProduct } from './replayedProduct.ts'

type Subscribed = { mode: SubscribeMode; sent: number }

/** Recorded products, replayed up to one clock that all clients share. */
export type ReplayMarket = {
  ids: string[]
  clock: ReplayClock
  /** The first and the last recorded instant. */
  span: { from: number; to: number }
  /** @throws RangeError if there is no such product */
  find: (id: string) => ReplayedProduct
  /**
   * Leaves out the ticks later than `from`, up to `to`, of one product or of all: as a venue that did not receive them.
   * @throws RangeError if `from` is in the past, or `to` not after it
   */
  gap: (from: number, to: number, id?: string) => void
  client: () => ReplayClient
}
/** The subscriptions of one client, and what it is sent next. */
export type ReplayClient = {
  subscribe: (ids: string[], mode: SubscribeMode) => unknown
  unsubscribe: (ids: string[]) => unknown
  unsubscribeAll: () => void
  /** How long nothing will change, in ms of the scheduler, if the clock does not. */
  quietMs: () => number
  /** The subscribed ticks since the last call. */
  newFrames: () => TickBlock[][]
  /** The products, of all, that opened or closed since the last call. */
  statusChanges: () => ProductEvent[]
  figures: () => { at: number; f: Ticker[] }
  feed: () => FeedEvent
}
export type ReplayMarketOptions = {
  speed: number
  scheduler: SchedulerLike
  isPaused?: boolean
  sha?: Sha256Hex | undefined
  /** Whether each second's heads have their hashes; default: yes. */
  withHashes?: boolean | undefined
}

export function createReplayMarket(
  products: readonly ReplayProduct[],
  options: ReplayMarketOptions,
): ReplayMarket {
  const all = products.map((product, ix) => new ReplayedProduct(product, ix, options.sha))
  const byId = new Map(all.map((product) => [product.id, product]))
  const twice = all.find((product) => byId.get(product.id) !== product)
  if (twice) throw new RangeError(`two recordings of ${twice.id}`)
  if (all.length === 0) throw new RangeError('no recording')
  const origin = Math.min(...all.map((product) => product.firstAt))
  const end = Math.max(...all.map((product) => product.lastAt))
  for (const product of all) product.begin(origin, end)
  const clock = createReplayClock({ ...options, origin, end })
  const find = (id: string): ReplayedProduct => {
    const product = byId.get(id)
    if (!product) throw new RangeError(`no recording of ${id}, only of ${[...byId.keys()].join(', ')}`)
    product.advanceTo(clock.now())
    return product
  }
  return {
    ids: all.map(({ id }) => id),
    clock,
    span: { from: origin, to: end },
    find,
    gap: (from, to, id) => {
      if (!(from >= clock.now() && to > from))
        throw new RangeError(`a gap begins at ${clock.now()} or later and ends after it begins`)
      for (const product of id === undefined ? all : [find(id)]) {
        product.advanceTo(clock.now())
        product.addGap({ from, to })
      }
    },
    client: () => clientOf(all, clock, find, options.withHashes ?? true),
  }
}

const none: ProductEvent[] = []

function clientOf(
  all: readonly ReplayedProduct[],
  clock: ReplayClock,
  find: ReplayMarket['find'],
  withHashes: boolean,
): ReplayClient {
  const subscribed = new Map<string, Subscribed>()
  const sentStatus = new Map(all.map((product) => [product.id, product.status]))
  const subscribedProducts = () => all.filter((product) => subscribed.has(product.id))
  return {
    subscribe: (ids, mode) => {
      const unknown = ids.filter((id) => !all.some((product) => product.id === id))
      if (unknown.length > 0) return { ok: false, code: 'NOT_FOUND', products: unknown }
      const requested = ids.map(find)
      for (const product of requested) subscribed.set(product.id, { mode, sent: product.seq })
      return {
        ok: true,
        index: Object.fromEntries(requested.map((product) => [product.id, product.ix])),
        quotes: tickersOf(requested),
        heads: Object.fromEntries(requested.map((product) => [product.id, { ...product.head }])),
      }
    },
    unsubscribe: (ids) => {
      for (const id of ids) subscribed.delete(id)
      return { ok: true }
    },
    unsubscribeAll: () => subscribed.clear(),
    quietMs: () => {
      let nextAt = Infinity
      for (const product of all) nextAt = Math.min(nextAt, product.nextAt)
      if (clock.isPaused || nextAt === Infinity) return Infinity
      return Math.max(0, nextAt - clock.now()) / clock.speed
    },
    newFrames: () => {
      const now = clock.now()
      const blocks: TickBlock[] = []
      for (const product of all) {
        product.advanceTo(now)
        const subscription = subscribed.get(product.id)
        if (subscription && product.seq > subscription.sent) blocks.push(blockOf(product, subscription))
      }
      return framesOf(blocks)
    },
    statusChanges: () => {
      const now = clock.now()
      let changes = none
      for (const product of all) {
        product.advanceTo(now)
        if (sentStatus.get(product.id) === product.status) continue
        sentStatus.set(product.id, product.status)
        changes = [...changes, { id: product.id, ...product.tradingHours() }]
      }
      return changes
    },
    figures: () => ({ at: clock.now(), f: tickersOf(subscribedProducts()) }),
    feed: () => {
      const p: FeedEvent['p'] = {}
      for (const product of subscribedProducts())
        p[product.id] = Object.assign(
          product.feedAt(clock.now()),
          withHashes ? product.head : { seq: product.seq },
        )
      return { at: epochMs(clock.now()), p }
    },
  }
}

/** Of those that have a price. */
const tickersOf = (products: readonly ReplayedProduct[]): Ticker[] =>
  products.filter((product) => product.isBegun).map((product) => product.ticker())

/** The ticks not sent to a subscriber yet: all of them, or only the newest. */
function blockOf(product: ReplayedProduct, subscription: Subscribed): TickBlock {
  const { seq } = product
  const from = subscription.mode === 'all' ? subscription.sent : seq - 1
  subscription.sent = seq
  return { ix: product.ix, seq0: from + 1, values: product.values(from, seq) }
}

/** Splits blocks into frames of at most the size the contract allows. */
function framesOf(blocks: TickBlock[]): TickBlock[][] {
  let values = 0
  for (const block of blocks) values += block.values.length
  if (values <= ticksPerFrameMax * 3) return values === 0 ? [] : [blocks]
  const frames: TickBlock[][] = []
  let capacity = 0
  for (const block of blocks) {
    for (let i = 0; i < block.values.length;) {
      if (capacity === 0) {
        frames.push([])
        capacity = ticksPerFrameMax
      }
      const values = block.values.slice(i, i + capacity * 3)
      frames.at(-1)?.push({ ix: block.ix, seq0: block.seq0 + i / 3, values })
      i += values.length
      capacity -= values.length / 3
    }
  }
  return frames
}
