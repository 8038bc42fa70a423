import type { Ticker } from '../contract/products.ts'
import type { FeedStatus } from '../contract/socket.ts'
import type { Tick } from './types.ts'

/**
 * Receives every tick of a product. `start(seq)` is called first, and again after a gap that could not be filled:
 * the next `tick` is `seq` + 1. Between two starts no tick is missing or repeated.
 */
export type TickListener = {
  start: (seq: number) => void
  tick: (seq: number, at: number, price: number, size: number) => void
}

/**
 * The product's subscription. `off`: not subscribed, or no answer yet. `latest`: newest ticks only. `live`: every tick,
 * in sync. `filling`: every tick, but missing ones are being fetched; new ones are queued.
 */
export type Phase = 'off' | 'latest' | 'live' | 'filling'
export type TickRun = { seq0: number; values: readonly number[] }

/** Ticks that may be queued during a backfill; more are dropped and fetched like the missing ones. */
const queuedTicksMax = 20_000

const noop = (): void => undefined
const noRun: readonly number[] = [0, 0, Number.NaN]

/** What a sequencer needs from the hub. */
export type TickSequencerHost = {
  onSequenceGap(sequencer: TickSequencer): void
  onChange(sequencer: TickSequencer): void
}

/** One product: its position in the sequence, its newest price and its listeners. */
export class TickSequencer {
  readonly id: string
  phase: Phase = 'off'
  /** Newest tick passed to listeners; −1 before the first `start`. A small integer, which engines store inline. */
  seq = -1
  newestSeq = -1
  ticker: Ticker | undefined
  priceDecimals = 0
  feed: FeedStatus = 'down'
  /** Venue time of the last heartbeat with this product; NaN from the snapshot to the next heartbeat. */
  lastHeartbeatAt = Number.NaN
  /** Its newest state has not been published yet. */
  changed = false
  /** Incremented whenever the subscription ends, so that answers from before can be recognised. */
  epoch = 0
  readonly #host: TickSequencerHost
  #activeListeners: readonly TickListener[] = []
  #pendingListeners: TickListener[] = []
  #emit: TickListener['tick'] = noop
  /** The runs with the newest tick and, if that run has one tick, the tick before it. */
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

  /** Undefined if the newest price came with a snapshot, which has no size. */
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

  /** Receives a run of ticks from the wire. */
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

  /** The wire is down or the product was released: the current state becomes stale. */
  onUnsubscribed(): void {
    this.phase = 'off'
    this.epoch++
    this.#clearQueue()
    this.markChanged()
  }

  /** Delivers fetched ticks in place of missing ones; overlapping ones are ignored. */
  fill(seq0: number, values: readonly number[]): void {
    const known = Math.max(0, this.seq + 1 - seq0)
    const fresh = known === 0 ? values : values.slice(known * 3)
    if (fresh.length > 0) this.#deliver(seq0 + known, fresh)
  }

  /** Delivers queued ticks. True if in sync again, false if there is another gap. */
  drain(): boolean {
    for (let run = this.#queue[0]; run; run = this.#queue[0]) {
      if (run.seq0 > this.seq + 1) return false
      this.#queue.shift()
      this.#queued -= run.values.length / 3
      this.fill(run.seq0, run.values)
    }
    this.#goLive()
    return true
  }

  /** Gives the gap up: continues with the queued ticks, or at `head`, and restarts the listeners. */
  restart(head: number): void {
    const first = this.#queue[0]
    this.seq = first ? first.seq0 - 1 : head
    this.#startPending(this.#activeListeners)
    this.drain()
  }

  /** The venue has sent everything up to `head`: a tick that has not arrived by now is lost. */
  checkHead(head: number): void {
    if (this.phase !== 'live' || head <= this.seq) return
    this.phase = 'filling'
    this.#host.onSequenceGap(this)
  }

  /** Applies the snapshot's price and instant unless that tick is already known. */
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

  /** Stores the newest run only: its numbers are read once per animation frame, not at each tick. */
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
