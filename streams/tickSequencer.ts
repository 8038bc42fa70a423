import type { Ticker } from '../contract/products.ts'
import type { FeedStatus } from '../contract/socket.ts'
import type { Tick } from './types.ts'

/**
 * Who wants every tick of a product. `start(seq)` comes first, and again after a hole that could not be filled:
 * the next `tick` is `seq` + 1. Between two starts no tick is missing and none comes twice.
 */
export type TickListener = {
  start: (seq: number) => void
  tick: (seq: number, at: number, price: number, size: number) => void
}

/**
 * How the product stands on the wire. `off`: not subscribed, or no answer yet. `latest`: newest ticks only.
 * `live`: every tick, in sync. `filling`: every tick, but some are missing and on their way; new ones wait.
 */
export type Phase = 'off' | 'latest' | 'live' | 'filling'
export type TickRun = { seq0: number; values: readonly number[] }

/** Ticks that may wait for a back-fill; beyond, they are let go of and fetched like the missing ones. */
const queuedTicksMax = 20_000

const noop = (): void => undefined
const noRun: readonly number[] = [0, 0, Number.NaN]

/** What the hub does for a channel. */
export type TickSequencerHost = {
  onSequenceGap(sequencer: TickSequencer): void
  onChange(channel: TickSequencer): void
}

/** One product: its place in the sequence, its newest price, and who listens. */
export class TickSequencer {
  readonly id: string
  phase: Phase = 'off'
  /** Newest tick given to listeners; −1 before the first `start`. Small integers live in the object itself: fast. */
  seq = -1
  newestSeq = -1
  ticker: Ticker | undefined
  priceDecimals = 0
  feed: FeedStatus = 'down'
  /** Venue time of the last heartbeat that spoke of this product; NaN from the snapshot to the next heartbeat. */
  lastHeartbeatAt = Number.NaN
  /** Its newest state has not been painted yet. */
  changed = false
  /** Changes with every loss of the wire, so that an answer from before it can be told. */
  epoch = 0
  readonly #host: TickSequencerHost
  #activeListeners: readonly TickListener[] = []
  #pendingListeners: TickListener[] = []
  #emit: TickListener['tick'] = noop
  /** The runs that hold the newest tick and, where that run is one tick long, the tick before it. */
  #newestRun: readonly number[] = noRun
  #previousRun: readonly number[] = noRun
  #queue: TickRun[] = []
  #queued = 0

  constructor(id: string, host: TickSequencerHost) {
    this.id = id
    this.#host = host
  }

  get newestAt(): number {
    return this.#newestRun.at(-3) ?? 0
  }

  get newestPrice(): number {
    return this.#newestRun.at(-2) ?? 0
  }

  /** Undefined where the newest price came with a snapshot, which tells no size. */
  get newestTick(): Tick | undefined {
    const size = this.#newestRun.at(-1) ?? Number.NaN
    if (Number.isNaN(size) || this.newestSeq !== this.seq) return undefined
    return { seq: this.seq, at: this.newestAt, price: this.newestPrice, size }
  }

  /** The price of the tick before the newest. */
  get previousPrice(): number {
    return this.#newestRun.at(-5) ?? this.#previousRun.at(-2) ?? 0
  }

  add(listener: TickListener): void {
    this.#pendingListeners.push(listener)
    if (this.phase === 'live') this.#startPending()
  }

  remove(listener: TickListener): void {
    this.#pendingListeners = this.#pendingListeners.filter((other) => other !== listener)
    this.#activeListeners = this.#activeListeners.filter((other) => other !== listener)
    this.#emit = fanOut(this.#activeListeners)
  }

  /** Takes a run of ticks off the wire. */
  receive(seq0: number, values: readonly number[]): void {
    if (this.phase === 'live' && seq0 === this.seq + 1) this.#deliver(seq0, values)
    else this.#receiveOutOfOrder(seq0, values)
  }

  /** The subscription was answered: the venue's newest tick is `head`. */
  onSubscribed(mode: 'all' | 'latest', head: number): void {
    if (mode === 'latest') {
      this.phase = 'latest'
      this.seq = -1
    } else if (this.#activeListeners.length > 0 && head > this.seq) {
      this.phase = 'filling'
      this.#host.onSequenceGap(this)
    } else if (this.#activeListeners.length > 0 && head === this.seq) {
      this.#goLive()
    } else {
      this.restart(head)
    }
  }

  /** The wire is gone, or the product let go of: what is known grows old. */
  onUnsubscribed(): void {
    this.phase = 'off'
    this.epoch++
    this.#clearQueue()
    this.markChanged()
  }

  /** Fetched ticks go in where the wire's are missing; what overlaps is ignored. */
  fill(seq0: number, values: readonly number[]): void {
    const known = Math.max(0, this.seq + 1 - seq0)
    const fresh = known === 0 ? values : values.slice(known * 3)
    if (fresh.length > 0) this.#deliver(seq0 + known, fresh)
  }

  /** Gives on what waited. True: in sync again. False: there is another hole. */
  drain(): boolean {
    for (let block = this.#queue[0]; block; block = this.#queue[0]) {
      if (block.seq0 > this.seq + 1) return false
      this.#queue.shift()
      this.#queued -= block.values.length / 3
      this.fill(block.seq0, block.values)
    }
    this.#goLive()
    return true
  }

  /** Gives the hole up: goes on with what waited on the wire, or at `head`. Listeners are told to start anew. */
  restart(head: number): void {
    const first = this.#queue[0]
    this.seq = first ? first.seq0 - 1 : head
    this.#startPending(this.#activeListeners)
    this.drain()
  }

  /** The venue says that `head` was sent: a tick that is not here by now is lost. */
  checkHead(head: number): void {
    if (this.phase !== 'live' || head <= this.seq) return
    this.phase = 'filling'
    this.#host.onSequenceGap(this)
  }

  /** The snapshot's price and instant, where no tick as new is known. */
  applySnapshot(head: number, at: number, price: number): void {
    if (head === this.newestSeq) return
    this.newestSeq = head
    this.#newestRun = this.#previousRun = [at, price, Number.NaN]
  }

  markChanged(): void {
    if (!this.changed) this.#host.onChange(this)
  }

  #goLive(): void {
    this.phase = 'live'
    this.#startPending()
  }

  #startPending(others: readonly TickListener[] = []): void {
    if (this.#pendingListeners.length + others.length === 0) return
    const starting = [...others, ...this.#pendingListeners]
    this.#activeListeners = [...this.#activeListeners, ...this.#pendingListeners]
    this.#pendingListeners = []
    this.#emit = fanOut(this.#activeListeners)
    for (const listener of starting) listener.start(this.seq)
  }

  #deliver(seq0: number, values: readonly number[]): void {
    const emit = this.#emit
    let seq = seq0
    for (let i = 0; i < values.length; i += 3) {
      emit(seq++, values[i] ?? 0, values[i + 1] ?? 0, values[i + 2] ?? 0)
    }
    this.seq = seq - 1
    this.#noteNewest(seq - 1, values)
  }

  #receiveOutOfOrder(seq0: number, values: readonly number[]): void {
    const last = seq0 + values.length / 3 - 1
    if (this.phase === 'off') return
    if (this.phase === 'live') {
      if (last <= this.seq) return
      if (seq0 <= this.seq) return this.fill(seq0, values)
      this.phase = 'filling'
      this.#enqueue(seq0, values)
      this.#host.onSequenceGap(this)
    } else if (this.phase === 'filling') {
      this.#enqueue(seq0, values)
    }
    this.#noteNewest(last, values)
  }

  /** Notes the newest run for those who look once a frame; they read the numbers, not we at each tick. */
  #noteNewest(last: number, values: readonly number[]): void {
    if (last <= this.newestSeq) return
    if (values.length === 3) this.#previousRun = this.#newestRun
    this.#newestRun = values
    this.newestSeq = last
    if (!this.changed) this.#host.onChange(this)
  }

  #enqueue(seq0: number, values: readonly number[]): void {
    if (this.#queued > queuedTicksMax) return
    this.#queue.push({ seq0, values })
    this.#queued += values.length / 3
  }

  #clearQueue(): void {
    this.#queue = []
    this.#queued = 0
  }
}

function fanOut(listeners: readonly TickListener[]): TickListener['tick'] {
  const [only] = listeners
  if (!only) return noop
  if (listeners.length === 1) return only.tick
  return (seq, at, price, size) => {
    for (const listener of listeners) listener.tick(seq, at, price, size)
  }
}
