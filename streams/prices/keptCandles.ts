import { Observable, takeWhile, tap, timer, type Subscriber, type Subscription } from 'rxjs'
import type { Candle, Timeframe } from '../../contract/candles.ts'
import type { CandleEvent, CandleFeed } from '../types.ts'
import { createCandleFeed, type CandlesParts } from './candles.ts'

/** Timeframes of a product whose bars are kept: enough for a member who switches between them. */
const keptMax = 3

/** The candle feeds of one product by timeframe, the least recently used first. */
type ProductFeeds = { feeds: Map<Timeframe, KeptFeed>; users: number }

/**
 * Candle feeds that follow the ticks for as long as any of the product is used, so that a timeframe shown before has its
 * bars at once when the member comes back to it. One that is not used fetches nothing: where it would, it ends.
 */
export function createCandleFeeds(parts: CandlesParts) {
  const products = new Map<string, ProductFeeds>()
  const leaveTimers = new Set<Subscription>()

  const closeAll = ({ feeds }: ProductFeeds): void => {
    for (const feed of feeds.values()) feed.close()
  }
  const retain = (id: string): ProductFeeds => {
    const product = products.get(id) ?? { feeds: new Map<Timeframe, KeptFeed>(), users: 0 }
    products.set(id, product)
    product.users++
    return product
  }
  const release = (id: string, product: ProductFeeds): void => {
    // A change of the timeframe leaves one feed before it enters the next, in the same task.
    const leaving = timer(0, parts.scheduler).subscribe(() => {
      leaveTimers.delete(leaving)
      if (--product.users > 0) return
      products.delete(id)
      closeAll(product)
    })
    leaveTimers.add(leaving)
  }
  const take = ({ feeds }: ProductFeeds, id: string, tf: Timeframe): KeptFeed => {
    const feed = feeds.get(tf) ?? new KeptFeed(id, tf, parts, () => feeds.delete(tf))
    feeds.delete(tf)
    feeds.set(tf, feed)
    const unused = [...feeds.values()].filter((each) => each !== feed && !each.isUsed)
    for (const each of unused.slice(0, Math.max(0, feeds.size - keptMax))) each.close()
    return feed
  }
  const candles = (id: string, tf: Timeframe): CandleFeed => ({
    events$: new Observable<CandleEvent>((subscriber) => {
      const product = retain(id)
      subscriber.add(() => release(id, product))
      subscriber.add(take(product, id, tf).subscribe(subscriber))
    }),
    loadOlder: () => products.get(id)?.feeds.get(tf)?.loadOlder(),
  })
  const close = (): void => {
    for (const leaving of leaveTimers) leaving.unsubscribe()
    for (const product of products.values()) closeAll(product)
  }
  return { candles, close }
}

/** The feed of one timeframe with the bars so far, which a new subscriber gets as its snapshot. */
class KeptFeed {
  readonly #feed: CandleFeed
  readonly #onEnd: () => void
  readonly #subscribers = new Set<Subscriber<CandleEvent>>()
  #source: Subscription | undefined
  #bars: Candle[] | undefined

  constructor(id: string, tf: Timeframe, parts: CandlesParts, onEnd: () => void) {
    this.#onEnd = onEnd
    // The ticks start again with an empty run, after which the bars are fetched.
    const run$ = (product: string) =>
      parts.hub.run$(product).pipe(
        takeWhile((run) => run.values.length > 0 || this.isUsed),
        tap({ complete: () => this.close() }),
      )
    this.#feed = createCandleFeed(id, tf, { ...parts, hub: { run$ } })
  }

  get isUsed(): boolean {
    return this.#subscribers.size > 0
  }

  subscribe(subscriber: Subscriber<CandleEvent>): () => void {
    this.#subscribers.add(subscriber)
    if (this.#bars === undefined) this.#start()
    else subscriber.next({ kind: 'snapshot', candles: [...this.#bars] })
    return () => {
      this.#subscribers.delete(subscriber)
      if (!this.isUsed && this.#bars === undefined) this.close()
    }
  }

  loadOlder(): void {
    this.#feed.loadOlder()
  }

  close(): void {
    this.#source?.unsubscribe()
    this.#onEnd()
  }

  /** Also again: the venue may have rejected the request of the one before. */
  #start(): void {
    this.#source?.unsubscribe()
    this.#source = this.#feed.events$.subscribe((event) => this.#next(event))
  }

  #next(event: CandleEvent): void {
    if (event.kind === 'snapshot') this.#bars = [...event.candles]
    else if (event.kind === 'older') this.#bars = [...event.candles, ...(this.#bars ?? [])]
    else this.#extend(event.candle)
    for (const subscriber of this.#subscribers) subscriber.next(event)
  }

  #extend(candle: Candle): void {
    const bars = (this.#bars ??= [])
    if (bars.at(-1)?.openAt === candle.openAt) bars.pop()
    bars.push(candle)
  }
}
