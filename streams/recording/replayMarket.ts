import type { SchedulerLike } from 'rxjs'
import { epochMs } from '../../contract/brand.ts'
import { ticksPerFrameMax } from '../../contract/constants.ts'
import type { FeedEvent, SubscribeMode, TickBlock } from '../../contract/socket.ts'
import { ReplayedProduct } from './replayedProduct.ts'
import type { ReplayProduct } from './replayedProduct.ts'

type Subscribed = { mode: SubscribeMode; sent: number }

/** Recorded products, replayed up to the scheduler's time, and the subscriptions of one client. */
export function createReplayMarket(
  products: readonly ReplayProduct[],
  speed: number,
  scheduler: SchedulerLike,
) {
  const all = products.map((product, ix) => new ReplayedProduct(product, ix))
  const byId = new Map(all.map((product) => [product.id, product]))
  const subscribed = new Map<string, Subscribed>()
  const origin = Math.min(...all.map((product) => product.firstAt))
  const start = scheduler.now()
  const end = Math.max(...all.map((product) => product.lastAt))
  const now = (): number => {
    const elapsed = scheduler.now() - start
    if (speed < Infinity) return Math.floor(origin + elapsed * speed)
    return elapsed === 0 ? origin : end + elapsed
  }
  /** @throws RangeError if there is no such product */
  const find = (id: string): ReplayedProduct => {
    const product = byId.get(id)
    if (!product) throw new RangeError(`no recording of ${id}`)
    product.advanceTo(now())
    return product
  }
  const subscribedProducts = () => all.filter((product) => subscribed.has(product.id))
  return {
    ids: all.map(({ id }) => id),
    now,
    find,
    subscribe: (ids: string[], mode: SubscribeMode): unknown => {
      const unknown = ids.filter((id) => !byId.has(id))
      if (unknown.length > 0) return { ok: false, code: 'NOT_FOUND', products: unknown }
      const requested = ids.map(find)
      for (const product of requested) subscribed.set(product.id, { mode, sent: product.head.seq })
      return {
        ok: true,
        index: Object.fromEntries(requested.map((product) => [product.id, product.ix])),
        quotes: requested.map((product) => product.ticker()),
        heads: Object.fromEntries(requested.map((product) => [product.id, { ...product.head }])),
      }
    },
    unsubscribe: (ids: string[]): unknown => {
      for (const id of ids) subscribed.delete(id)
      return { ok: true }
    },
    unsubscribeAll: (): void => subscribed.clear(),
    /** The subscribed ticks since the last call. */
    newFrames: (): TickBlock[][] => {
      for (const product of all) product.advanceTo(now())
      return framesOf(all.flatMap((product) => blocksOf(product, subscribed.get(product.id))))
    },
    figures: () => ({ at: now(), f: subscribedProducts().map((product) => product.ticker()) }),
    feed: (): FeedEvent => {
      const p: FeedEvent['p'] = {}
      for (const product of subscribedProducts())
        p[product.id] = { watermark: epochMs(now()), status: 'live', ...product.head }
      return { at: epochMs(now()), p }
    },
  }
}

/** The ticks not sent to a subscriber yet: all of them, or only the newest. */
function blocksOf(product: ReplayedProduct, subscription: Subscribed | undefined): TickBlock[] {
  const { seq } = product.head
  if (!subscription || seq <= subscription.sent) return []
  const from = subscription.mode === 'all' ? subscription.sent : seq - 1
  subscription.sent = seq
  return [{ ix: product.ix, seq0: from + 1, values: product.values(from, seq) }]
}

/** Splits blocks into frames of at most the size the contract allows. */
function framesOf(blocks: readonly TickBlock[]): TickBlock[][] {
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
