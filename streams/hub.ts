import { BehaviorSubject, Subject, distinctUntilChanged, timer } from 'rxjs'
import type { Observable, SchedulerLike, Subscription } from 'rxjs'
import { parsePrice } from '../contract/price.ts'
import type { Figures } from '../contract/products.ts'
import type { FeedEvent, FiguresEvent, ProductEvent, SubscribeMode, TickFrame } from '../contract/socket.ts'
import { heartbeatLostMs } from '../contract/constants.ts'
import { backfill } from './backfill.ts'
import type { BackfillParts } from './backfill.ts'
import { Channel } from './channel.ts'
import type { TickListener } from './channel.ts'
import { Subscriptions } from './subscriptions.ts'
import type { Joined } from './subscriptions.ts'
import type { Quote, Tick, Wire } from './types.ts'

/** Who leaves and comes back within this (a route change, StrictMode) finds the stream running. */
export const graceMs = 2000
/** A product's number beyond this is no number of ours. */
const indexMax = 65_535

export type HubParts = Omit<BackfillParts, 'scheduler'> & {
  wire: Pick<Wire, 'subscribe' | 'unsubscribe'>
  up$: Observable<boolean>
  stale$: Observable<boolean>
  frame$: Observable<TickFrame>
  figures$: Observable<FiguresEvent>
  feed$: Observable<FeedEvent>
  product$: Observable<ProductEvent>
  scheduler: SchedulerLike
}

/**
 * The heart: takes the venue's frames apart by number into one channel per product, keeps each without a hole, and
 * asks the venue for exactly what somebody watches, in the strongest mode that somebody needs.
 */
export class Hub {
  readonly #parts: HubParts
  readonly #channels = new Map<string, Channel>()
  /** By the venue's number of the product; renewed on each connect. */
  #table: (Channel | undefined)[] = []
  readonly #holds = new Map<string, { all: number; latest: number }>()
  readonly #heads = new Map<string, number>()
  readonly #subscriptions: Subscriptions
  readonly #running: Subscription
  readonly #graces = new Set<Subscription>()
  readonly #changedNow = new Subject<void>()
  readonly #watched = new BehaviorSubject(false)
  #changed: Channel[] = []
  #stale = true

  constructor(parts: HubParts) {
    this.#parts = parts
    this.#subscriptions = new Subscriptions({
      wire: parts.wire,
      scheduler: parts.scheduler,
      onJoined: (reply, ids, mode) => this.#joined(reply, ids, mode),
      onLeft: (ids) => this.#left(ids),
    })
    this.#running = parts.up$.subscribe((up) => (up ? this.#wireUp() : this.#wireDown()))
    this.#running.add(parts.frame$.subscribe((frame) => this.dispatch(frame)))
    this.#running.add(parts.feed$.subscribe((event) => this.#heard(event)))
    this.#running.add(parts.figures$.subscribe((event) => this.#newFigures(event.f)))
    this.#running.add(parts.product$.subscribe((event) => this.#newStatus(event)))
    this.#running.add(parts.stale$.subscribe((stale) => this.#setStale(stale)))
  }

  /** Fires when the first channel changes after {@link takeChanged}. */
  get changed$(): Observable<void> {
    return this.#changedNow.asObservable()
  }

  /** Whether any product is subscribed, so that the venue owes heartbeats. */
  get watched$(): Observable<boolean> {
    return this.#watched.pipe(distinctUntilChanged())
  }

  /** Every tick of a product, without a hole; call the answer to let go. */
  listen(id: string, listener: TickListener): () => void {
    const channel = this.#channel(id)
    const release = this.hold(id, 'all')
    channel.add(listener)
    return () => {
      channel.remove(listener)
      release()
    }
  }

  /** Keeps a product subscribed; call the answer to let go, which takes effect after the grace. */
  hold(id: string, mode: SubscribeMode): () => void {
    this.#channel(id)
    const held = this.#holds.get(id) ?? { all: 0, latest: 0 }
    this.#holds.set(id, held)
    held[mode]++
    this.#want(id)
    let open = true
    return () => {
      if (!open) return
      open = false
      const grace = timer(graceMs, this.#parts.scheduler).subscribe(() => {
        this.#graces.delete(grace)
        held[mode]--
        this.#want(id)
      })
      this.#graces.add(grace)
    }
  }

  /** The newest tick, where every tick is here; none while one may be missing, nor a price that came without its tick. */
  newest(id: string): Tick | undefined {
    const channel = this.#channels.get(id)
    return channel?.phase === 'live' ? channel.newestTick : undefined
  }

  /** The products that changed since the last call. */
  takeChanged(): Channel[] {
    const changed = this.#changed
    this.#changed = []
    for (const channel of changed) channel.changed = false
    return changed
  }

  /** A product as it stands; undefined until the venue has given its figures. */
  quote(channel: Channel): Quote | undefined {
    const { figures, newestPrice, previousPrice } = channel
    if (!figures) return undefined
    const move = newestPrice > previousPrice ? 'up' : newestPrice < previousPrice ? 'down' : 'level'
    return {
      id: channel.id,
      price: newestPrice,
      at: channel.newestAt,
      seq: channel.newestSeq,
      priceDecimals: channel.priceDecimals,
      move,
      figures,
      feed: channel.feed,
      stale: this.#stale || channel.phase === 'off' || channel.feed !== 'live',
    }
  }

  close(): void {
    this.#running.unsubscribe()
    for (const grace of this.#graces) grace.unsubscribe()
    this.#wireDown()
    this.#changedNow.complete()
    this.#watched.complete()
  }

  /** Takes a frame apart. A block of an unknown number is skipped. */
  dispatch(frame: TickFrame): void {
    const table = this.#table
    for (const block of frame.blocks) table[block.ix]?.take(block.seq0, block.values)
  }

  #channel(id: string): Channel {
    const known = this.#channels.get(id)
    if (known) return known
    const channel = new Channel(id, {
      onHole: (broken) => void backfill(broken, () => this.#heads.get(id) ?? 0, this.#parts),
      onChange: (one) => {
        one.changed = true
        this.#changed.push(one)
        if (this.#changed.length === 1) this.#changedNow.next()
      },
    })
    this.#channels.set(id, channel)
    return channel
  }

  #want(id: string): void {
    const held = this.#holds.get(id)
    this.#subscriptions.want(id, held?.all ? 'all' : held?.latest ? 'latest' : 'none')
  }

  #wireUp(): void {
    this.#wireDown()
    this.#subscriptions.wireUp()
  }

  #wireDown(): void {
    this.#subscriptions.wireDown()
    this.#table = []
    this.#watched.next(false)
    for (const channel of this.#channels.values()) if (channel.phase !== 'off') channel.leave()
  }

  #joined(reply: Joined, ids: readonly string[], mode: SubscribeMode): void {
    this.#newFigures(reply.quotes)
    for (const id of ids) {
      const channel = this.#channel(id)
      const ix = reply.index[id] ?? -1
      const head = reply.heads[id]?.seq ?? 0
      if (ix >= 0 && ix <= indexMax) this.#table[ix] = channel
      this.#heads.set(id, head)
      channel.feed = 'live'
      channel.vouchedAt = Number.NaN
      this.#adopt(channel, head)
      channel.join(mode, head)
    }
    this.#watched.next(true)
  }

  #left(ids: readonly string[]): void {
    for (const id of ids) {
      const channel = this.#channels.get(id)
      const ix = channel ? this.#table.indexOf(channel) : -1
      if (ix >= 0) this.#table[ix] = undefined
      channel?.leave()
    }
    this.#watched.next(this.#subscriptions.count > 0)
  }

  /** The snapshot's price, where no newer tick is known. */
  #adopt(channel: Channel, head: number): void {
    const price = channel.figures && parsePrice(channel.figures.last, channel.priceDecimals)
    if (price !== undefined && channel.figures) channel.adopt(head, channel.figures.lastAt, price)
    channel.touch()
  }

  #heard(event: FeedEvent): void {
    for (const channel of this.#channels.values()) {
      const word = event.p[channel.id]
      if (channel.phase === 'off') continue
      if (Number.isNaN(channel.vouchedAt)) channel.vouchedAt = event.at
      const silent = event.at - channel.vouchedAt > heartbeatLostMs
      const feed = word ? word.status : silent ? 'stale' : channel.feed
      if (word) {
        channel.vouchedAt = event.at
        this.#heads.set(channel.id, word.seq)
        // The heartbeat follows the frames up to its seq: a tick that is not here by now is lost.
        channel.expect(word.seq)
      }
      if (feed !== channel.feed) {
        channel.feed = feed
        channel.touch()
      }
    }
  }

  #newFigures(list: readonly Figures[]): void {
    for (const figures of list) {
      const channel = this.#channels.get(figures.id)
      if (!channel) continue
      channel.figures = figures
      channel.priceDecimals = decimalsOf(figures.last)
      channel.touch()
    }
  }

  #newStatus({ id, status, opensAt, closesAt }: ProductEvent): void {
    const channel = this.#channels.get(id)
    if (!channel?.figures) return
    channel.figures = { ...channel.figures, status, opensAt, closesAt }
    channel.touch()
  }

  #setStale(stale: boolean): void {
    this.#stale = stale
    for (const channel of this.#channels.values()) if (channel.phase !== 'off') channel.touch()
  }
}

/** The contract writes a price with exactly its product's decimals. */
function decimalsOf(price: string): number {
  const dot = price.indexOf('.')
  return dot < 0 ? 0 : price.length - dot - 1
}
