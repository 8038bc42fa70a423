import {
  BehaviorSubject,
  distinctUntilChanged,
  timer,
  type Observable,
  type SchedulerLike,
  type Subscription,
} from 'rxjs'
import { epochMs } from '../../contract/units.ts'
import { parsePrice } from '../../contract/price.ts'
import type { FeedEvent, TickerEvent, ProductEvent, SubscribeMode } from '../../contract/socket.ts'
import type { TickFrame } from '../../contract/tickFrame.ts'
import { heartbeatTimeoutMs } from '../../contract/constants.ts'
import { FunctionObservable, FunctionSubject } from './functionObservable.ts'
import { createFrameRequest, type FrameRequest } from '../operators/perAnimationFrame.ts'
import { ProductIndex } from './productIndex.ts'
import { backfill, type BackfillParts } from './backfill.ts'
import { TickSequencer, type TickSequencerHost } from './tickSequencer.ts'
import { Subscriptions, type SubscribedReply } from './subscriptions.ts'
import type { Wire } from '../parts.ts'
import { completeTicker, decimalsOf } from './ticker.ts'
import type { Quote, TickRun } from '../types.ts'

/** A subscriber that unsubscribes and returns within this (a route change, StrictMode) finds the stream running. */
export const graceMs = 2000
/** The state of a product in mode `latest` that a heartbeat does not list. */
const liveFeed: FeedEvent['p'][string] = { status: 'live' }
/** Largest valid product index. */
const indexMax = 65_535

export type HubParts = Omit<BackfillParts, 'scheduler'> & {
  wire: Pick<Wire, 'subscribe' | 'unsubscribe'>
  up$: Observable<boolean>
  stale$: Observable<boolean>
  frame$: Observable<TickFrame>
  ticker$: Observable<TickerEvent>
  feed$: Observable<FeedEvent>
  product$: Observable<ProductEvent>
  animationFrame$: Observable<unknown>
  scheduler: SchedulerLike
}

/**
 * Multiplexes the venue's frames into one Observable per product: dispatches each run of ticks by the product's index
 * to its sequencer, keeps each sequence complete, and subscribes on the wire to exactly the products that are used, in
 * the strongest mode that any subscriber needs.
 */
export class Hub {
  readonly #parts: HubParts
  readonly #sequencers = new Map<string, TickSequencer>()
  /** By the venue's index; another one on each connection. */
  #index = new ProductIndex<TickSequencer>()
  readonly #retainCounts = new Map<string, { all: number; latest: number }>()
  readonly #heads = new Map<string, number>()
  readonly #host: TickSequencerHost = {
    onSequenceGap: (sequencer) =>
      void backfill(sequencer, () => this.#heads.get(sequencer.id) ?? 0, this.#parts),
    onChange: (sequencer) => {
      this.#changed.push(sequencer)
      this.#frame.request()
    },
  }
  readonly #subscriptions: Subscriptions
  readonly #running: Subscription
  readonly #graceTimers = new Set<Subscription>()
  readonly #anySubscribed = new BehaviorSubject(false)
  readonly #quotes = new FunctionSubject<readonly Quote[]>()
  readonly #frame: FrameRequest
  #changed: TickSequencer[] = []
  #stale = true
  /**
   * The quotes of the products that changed since the last animation frame, without those that have no ticker yet. A
   * frame is only requested after a change.
   */
  readonly quotes$: Observable<readonly Quote[]> = this.#quotes

  constructor(parts: HubParts) {
    this.#parts = parts
    this.#frame = createFrameRequest(parts.animationFrame$, () => this.#quotes.next(this.#takeChanged()))
    this.#subscriptions = new Subscriptions({
      wire: parts.wire,
      scheduler: parts.scheduler,
      onSubscribed: (reply, ids, mode) => this.#onSubscribed(reply, ids, mode),
      onUnsubscribed: (ids) => this.#onUnsubscribed(ids),
    })
    this.#running = parts.up$
      .pipe(distinctUntilChanged())
      .subscribe((up) => (up ? this.#subscriptions.wireUp() : this.#wireDown()))
    this.#running.add(parts.frame$.subscribe((frame) => this.dispatch(frame)))
    this.#running.add(parts.feed$.subscribe((event) => this.#onHeartbeat(event)))
    this.#running.add(parts.ticker$.subscribe((event) => this.#onTickers(event.f)))
    this.#running.add(parts.product$.subscribe((event) => this.#onProductStatus(event)))
    this.#running.add(parts.stale$.subscribe((stale) => this.#setStale(stale)))
  }

  /** Product ids by the venue's index on this connection; after it another list. */
  get ids(): readonly string[] {
    return this.#index.ids
  }

  /** Whether any product is subscribed, so that heartbeats are due. */
  get anySubscribed$(): Observable<boolean> {
    return this.#anySubscribed.pipe(distinctUntilChanged())
  }

  /** Every tick of a product, gapless: see `Streams.run$`. */
  run$(id: string): Observable<TickRun> {
    return new FunctionObservable((subscriber) => {
      const sequencer = this.#sequencerOf(id)
      const release = this.retain(id, 'all')
      subscriber.add(() => {
        sequencer.remove(subscriber)
        release()
      })
      sequencer.add(subscriber)
    })
  }

  /** Keeps a product subscribed; returns the function that releases it, effective after the grace period. */
  retain(id: string, mode: SubscribeMode): () => void {
    this.#sequencerOf(id)
    const counts = this.#retainCounts.get(id) ?? { all: 0, latest: 0 }
    this.#retainCounts.set(id, counts)
    counts[mode]++
    this.#updateWanted(id)
    let isRetained = true
    return () => {
      if (!isRetained) return
      isRetained = false
      const grace = timer(graceMs, this.#parts.scheduler).subscribe(() => {
        this.#graceTimers.delete(grace)
        counts[mode]--
        this.#updateWanted(id)
      })
      this.#graceTimers.add(grace)
    }
  }

  close(): void {
    this.#running.unsubscribe()
    for (const grace of this.#graceTimers) grace.unsubscribe()
    this.#wireDown()
    this.#frame.cancel()
    this.#quotes.complete()
    this.#anySubscribed.complete()
  }

  /** Passes a frame's blocks to their sequencers. A block with an unknown index is skipped. */
  dispatch(frame: TickFrame): void {
    const { entries } = this.#index
    for (const block of frame.blocks) entries[block.ix]?.receive(block)
  }

  #sequencerOf(id: string): TickSequencer {
    const sequencer = this.#sequencers.get(id) ?? new TickSequencer(id, this.#host)
    this.#sequencers.set(id, sequencer)
    return sequencer
  }

  #takeChanged(): Quote[] {
    const changed = this.#changed
    this.#changed = []
    const quotes: Quote[] = []
    for (const sequencer of changed) {
      sequencer.markPublished()
      const quote = this.#quoteOf(sequencer)
      if (quote) quotes.push(quote)
    }
    return quotes
  }

  #quoteOf(sequencer: TickSequencer): Quote | undefined {
    const { newestPrice, previousPrice, priceDecimals } = sequencer
    if (!sequencer.ticker) return undefined
    // It stays until the venue's next one: a peak counts after the price has left it.
    if (newestPrice > 0)
      sequencer.ticker = sequencer.dayRange.including(newestPrice, sequencer.ticker, priceDecimals)
    const move = newestPrice > previousPrice ? 'up' : newestPrice < previousPrice ? 'down' : 'level'
    return {
      id: sequencer.id,
      price: newestPrice,
      at: sequencer.newestAt,
      seq: sequencer.newestSeq,
      priceDecimals,
      move,
      ticker: sequencer.ticker,
      feed: sequencer.feed,
      witness: sequencer.witness,
      stale: this.#stale || sequencer.phase === 'off' || sequencer.feed !== 'live',
    }
  }

  #updateWanted(id: string): void {
    const counts = this.#retainCounts.get(id)
    this.#subscriptions.setWanted(id, counts?.all ? 'all' : counts?.latest ? 'latest' : 'none')
  }

  #wireDown(): void {
    this.#subscriptions.wireDown()
    this.#index = new ProductIndex()
    this.#anySubscribed.next(false)
    for (const sequencer of this.#sequencers.values())
      if (sequencer.phase !== 'off') sequencer.onUnsubscribed()
  }

  #onSubscribed(reply: SubscribedReply, ids: readonly string[], mode: SubscribeMode): void {
    this.#onTickers(reply.quotes)
    for (const id of ids) {
      const sequencer = this.#sequencerOf(id)
      const ix = reply.index[id] ?? -1
      const head = reply.heads[id]?.seq ?? 0
      if (ix >= 0 && ix <= indexMax) this.#index.set(ix, id, sequencer)
      this.#heads.set(id, head)
      sequencer.feed = 'live'
      sequencer.witness = undefined
      sequencer.lastHeartbeatAt = Number.NaN
      this.#applySnapshot(sequencer, head)
      sequencer.onSubscribed(mode, head)
    }
    this.#anySubscribed.next(true)
  }

  #onUnsubscribed(ids: readonly string[]): void {
    for (const id of ids) {
      const sequencer = this.#sequencers.get(id)
      if (!sequencer) continue
      this.#index.release(sequencer)
      sequencer.onUnsubscribed()
    }
    this.#anySubscribed.next(this.#subscriptions.count > 0)
  }

  /** Applies the snapshot's price if no newer tick is known. */
  #applySnapshot(sequencer: TickSequencer, head: number): void {
    const price = sequencer.ticker && parsePrice(sequencer.ticker.last, sequencer.priceDecimals)
    if (price !== undefined && sequencer.ticker)
      sequencer.applySnapshot(head, epochMs(sequencer.ticker.lastAt), price)
    sequencer.markChanged()
  }

  #onHeartbeat(event: FeedEvent): void {
    for (const sequencer of this.#sequencers.values()) {
      if (sequencer.phase === 'off') continue
      const state = event.p[sequencer.id] ?? (sequencer.phase === 'latest' ? liveFeed : undefined)
      if (Number.isNaN(sequencer.lastHeartbeatAt)) sequencer.lastHeartbeatAt = event.at
      const silent = event.at - sequencer.lastHeartbeatAt > heartbeatTimeoutMs
      const feed = state ? state.status : silent ? 'stale' : sequencer.feed
      if (state) {
        sequencer.lastHeartbeatAt = event.at
        if (state.seq !== undefined) this.#onHead(sequencer, state.seq)
      }
      const witness = state ? state.witness : sequencer.witness
      if (feed !== sequencer.feed || witness !== sequencer.witness) {
        sequencer.feed = feed
        sequencer.witness = witness
        sequencer.markChanged()
      }
    }
  }

  /** A heartbeat follows the frames up to its head: a tick that has not arrived by now is lost. */
  #onHead(sequencer: TickSequencer, seq: number): void {
    this.#heads.set(sequencer.id, seq)
    sequencer.checkHead(seq)
  }

  #onTickers(list: TickerEvent['f']): void {
    for (const changes of list) {
      const sequencer = this.#sequencers.get(changes.id)
      const ticker = sequencer && completeTicker(sequencer.ticker, changes)
      if (!ticker) continue
      sequencer.ticker = ticker
      sequencer.priceDecimals = decimalsOf(ticker.last)
      sequencer.markChanged()
    }
  }

  #onProductStatus({ id, status, opensAt, closesAt }: ProductEvent): void {
    const sequencer = this.#sequencers.get(id)
    if (!sequencer?.ticker) return
    sequencer.ticker = { ...sequencer.ticker, status, opensAt, closesAt }
    sequencer.markChanged()
  }

  #setStale(stale: boolean): void {
    this.#stale = stale
    for (const sequencer of this.#sequencers.values()) if (sequencer.phase !== 'off') sequencer.markChanged()
  }
}
