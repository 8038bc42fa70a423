import type { Subscriber } from 'rxjs'
import type { EpochMs, PriceUnits } from '../contract/brand.ts'
import type { Ticker } from '../contract/products.ts'
import type { FeedStatus, WitnessRejection } from '../contract/socket.ts'
import { callOf, callSafely } from './functionObservable.ts'
import { countOf, lastSeqOf, runAfter } from './tickRun.ts'
import type { TickRun } from './types.ts'

/**
 * The product's subscription. `off`: not subscribed, or no answer yet. `latest`: newest ticks only. `live`: every tick,
 * in sync. `filling`: every tick, but missing ones are being fetched; new ones are queued.
 */
export type Phase = 'off' | 'latest' | 'live' | 'filling'

/** Ticks that may be queued during a backfill; more are dropped and fetched like the missing ones. */
const queuedTicksMax = 20_000

const noValues: readonly number[] = [0, 0, Number.NaN]
const noCall = (): void => undefined

/** What a sequencer needs from the hub. */
export type TickSequencerHost = {
  onSequenceGap(sequencer: TickSequencer): void
  onChange(sequencer: TickSequencer): void
}

/** One product: its position in the sequence, its newest price and the subscribers of its runs. */
export class TickSequencer {
  // What each run reads comes first, so that it shares a cache line: see tests/bench/hub.bench.ts.
  phase: Phase = 'off'
  /** Newest tick passed to subscribers; −1 before they start. A small integer, which engines store inline. */
  seq = -1
  /** Passes a run to all subscribers that have started. */
  #call: (run: TickRun) => void = noCall
  /** The values of the runs with the newest tick and, if that run has one tick, the tick before it. */
  #newest: readonly number[] = noValues
  #previous: readonly number[] = noValues
  newestSeq = -1
  /** Its newest state has not been published yet. */
  changed = false

  readonly id: string
  readonly #host: TickSequencerHost
  ticker: Ticker | undefined
  priceDecimals = 0
  feed: FeedStatus = 'down'
  /** Why its witness rejects new orders, as of the last heartbeat. */
  witness: WitnessRejection | undefined
  /** Venue time of the last heartbeat with this product; NaN from the snapshot to the next heartbeat. */
  lastHeartbeatAt = Number.NaN
  /** Incremented whenever the subscription ends, so that answers from before can be recognised. */
  epoch = 0
  #subscribers: readonly Subscriber<TickRun>[] = []
  /** They start when the sequence is in sync. */
  #waiting: readonly Subscriber<TickRun>[] = []
  #queue: TickRun[] = []
  #queued = 0

  constructor(id: string, host: TickSequencerHost) {
    this.id = id
    this.#host = host
  }

  get newestAt(): EpochMs {
    return (this.#newest.at(-3) ?? 0) as EpochMs
  }

  get newestPrice(): PriceUnits {
    return (this.#newest.at(-2) ?? 0) as PriceUnits
  }

  /** The price of the tick before the newest. */
  get previousPrice(): PriceUnits {
    return (this.#newest.at(-5) ?? this.#previous.at(-2) ?? 0) as PriceUnits
  }

  add(subscriber: Subscriber<TickRun>): void {
    this.#waiting = [...this.#waiting, subscriber]
    if (this.phase === 'live') this.#startWaiting()
  }

  remove(subscriber: Subscriber<TickRun>): void {
    this.#waiting = this.#waiting.filter((other) => other !== subscriber)
    this.#setSubscribers(this.#subscribers.filter((other) => other !== subscriber))
  }

  /** Receives a run of ticks from the wire. */
  receive(run: TickRun): void {
    if (this.phase === 'live' && run.seq0 === this.seq + 1) this.#emit(run)
    else this.#receiveOutOfOrder(run)
  }

  /** The subscription was answered: the venue's newest tick is `head`. */
  onSubscribed(mode: 'all' | 'latest', head: number): void {
    if (mode === 'latest') {
      this.phase = 'latest'
      this.seq = -1
    } else if (this.#subscribers.length > 0 && head > this.seq) {
      this.phase = 'filling'
      this.#host.onSequenceGap(this)
    } else if (this.#subscribers.length > 0 && head === this.seq) {
      this.#goLive()
    } else {
      this.restart(head)
    }
  }

  /** The wire is down or the product was released: the current state becomes stale. */
  onUnsubscribed(): void {
    this.phase = 'off'
    this.epoch++
    this.#queue = []
    this.#queued = 0
    this.markChanged()
  }

  /** Emits fetched ticks in place of missing ones; overlapping ones are ignored. */
  fill(run: TickRun): void {
    const fresh = runAfter(run, this.seq)
    if (fresh.values.length > 0) this.#emit(fresh)
  }

  /** Emits queued ticks. True if in sync again, false if there is another gap. */
  drain(): boolean {
    for (let run = this.#queue[0]; run; run = this.#queue[0]) {
      if (run.seq0 > this.seq + 1) return false
      this.#queue.shift()
      this.#queued -= countOf(run)
      this.fill(run)
    }
    this.#goLive()
    return true
  }

  /** Gives the gap up: continues with the queued ticks, or at `head`, and restarts the subscribers. */
  restart(head: number): void {
    const first = this.#queue[0]
    this.seq = first ? first.seq0 - 1 : head
    this.#waiting = [...this.#subscribers, ...this.#waiting]
    this.#setSubscribers([])
    this.#startWaiting()
    this.drain()
  }

  /** The venue has sent everything up to `head`: a tick that has not arrived by now is lost. */
  checkHead(head: number): void {
    if (this.phase !== 'live' || head <= this.seq) return
    this.phase = 'filling'
    this.#host.onSequenceGap(this)
  }

  /** Applies the snapshot's price and instant unless that tick is already known. */
  applySnapshot(head: number, at: EpochMs, price: PriceUnits): void {
    if (head === this.newestSeq) return
    this.newestSeq = head
    this.#newest = this.#previous = [at, price, Number.NaN]
  }

  markChanged(): void {
    if (!this.changed) this.#host.onChange(this)
  }

  #goLive(): void {
    this.phase = 'live'
    this.#startWaiting()
  }

  #startWaiting(): void {
    const starting = this.#waiting
    if (starting.length === 0) return
    this.#waiting = []
    this.#setSubscribers([...this.#subscribers, ...starting])
    const start: TickRun = { seq0: this.seq + 1, values: [] }
    for (const subscriber of starting) subscriber.next(start)
  }

  #setSubscribers(subscribers: readonly Subscriber<TickRun>[]): void {
    this.#subscribers = subscribers
    this.#call = callOf(subscribers)
  }

  #emit(run: TickRun): void {
    const last = lastSeqOf(run)
    this.seq = last
    this.#noteNewest(last, run.values)
    callSafely(this.#call, run)
  }

  #receiveOutOfOrder(run: TickRun): void {
    const last = lastSeqOf(run)
    if (this.phase === 'off') return
    if (this.phase === 'live') {
      if (last <= this.seq) return
      if (run.seq0 <= this.seq) return this.fill(run)
      this.phase = 'filling'
      this.#enqueue(run)
      this.#host.onSequenceGap(this)
    } else if (this.phase === 'filling') {
      this.#enqueue(run)
    }
    this.#noteNewest(last, run.values)
  }

  #noteNewest(last: number, values: readonly number[]): void {
    if (last <= this.newestSeq) return
    if (values.length === 3) this.#previous = this.#newest
    this.#newest = values
    this.newestSeq = last
    if (!this.changed) this.#host.onChange(this)
  }

  #enqueue(run: TickRun): void {
    if (this.#queued > queuedTicksMax) return
    this.#queue.push(run)
    this.#queued += countOf(run)
  }
}
