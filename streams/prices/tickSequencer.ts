import type { Subscriber } from 'rxjs'
import { epochMs, priceUnits, type EpochMs, type PriceUnits } from '../../contract/units.ts'
import type { Ticker } from '../../contract/products.ts'
import type { FeedStatus, WitnessRejection } from '../../contract/socket.ts'
import { callOf, callSafely } from './functionObservable.ts'
import { countOf, lastSeqOf, runAfter } from './tickRun.ts'
import { DayRange } from './ticker.ts'
import type { TickRun } from '../types.ts'

/**
 * The product's subscription. `off`: not subscribed, or no answer yet. `latest`: newest ticks only. `live`: every tick,
 * in sync. `filling`: every tick, but missing ones are being fetched; new ones are queued.
 */
export type Phase = 'off' | 'latest' | 'live' | 'filling'

/** Ticks that may be queued during a backfill; more are dropped and fetched like the missing ones. */
const queuedTicksMax = 20_000

/** What a sequencer needs from the hub. */
export type TickSequencerHost = {
  onSequenceGap(sequencer: TickSequencer): void
  onChange(sequencer: TickSequencer): void
}

/** One product: its position in the sequence, its newest price and the subscribers of its runs. */
export class TickSequencer {
  readonly id: string
  readonly #host: TickSequencerHost
  phase: Phase = 'off'
  /** Newest tick passed to subscribers; −1 before they start. */
  seq = -1
  /** Newest tick known, passed on or not. */
  newestSeq = -1
  newestAt: EpochMs = epochMs(0)
  newestPrice: PriceUnits = priceUnits(0)
  /** The price of the tick before the newest. */
  previousPrice: PriceUnits = priceUnits(0)
  ticker: Ticker | undefined
  readonly dayRange = new DayRange()
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
  /** Passes a run to all subscribers that have started. */
  #emit: (run: TickRun) => void = () => undefined
  /** Whether there is something that the host has not published. */
  #isChanged = false

  constructor(id: string, host: TickSequencerHost) {
    this.id = id
    this.#host = host
  }

  /** Passes a run of ticks from the wire on if it is the next one. */
  receive(run: TickRun): void {
    if (this.phase !== 'live' || run.seq0 !== this.seq + 1) return this.#receiveOutOfOrder(run)
    this.#pass(run)
  }

  add(subscriber: Subscriber<TickRun>): void {
    this.#waiting = [...this.#waiting, subscriber]
    if (this.phase === 'live') this.#startWaiting()
  }

  remove(subscriber: Subscriber<TickRun>): void {
    this.#waiting = this.#waiting.filter((other) => other !== subscriber)
    this.#setSubscribers(this.#subscribers.filter((other) => other !== subscriber))
  }

  /** The subscription was answered: the venue's newest tick is `head`. */
  onSubscribed(mode: 'all' | 'latest', head: number): void {
    if (mode === 'latest') {
      this.#moveTo('latest', -1)
    } else if (this.#subscribers.length > 0 && head > this.seq) {
      this.#moveTo('filling')
      this.#host.onSequenceGap(this)
    } else if (this.#subscribers.length > 0 && head === this.seq) {
      this.#goLive()
    } else {
      this.restart(head)
    }
  }

  /** The wire is down or the product was released: the current state becomes stale. */
  onUnsubscribed(): void {
    this.#moveTo('off')
    this.epoch++
    this.#queue = []
    this.#queued = 0
    this.markChanged()
  }

  /** Emits fetched ticks in place of missing ones; overlapping ones are ignored. */
  fill(run: TickRun): void {
    const fresh = runAfter(run, this.seq)
    if (fresh.values.length === 0) return
    this.#pass(fresh)
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
    this.#moveTo(this.phase, first ? first.seq0 - 1 : head)
    this.#waiting = [...this.#subscribers, ...this.#waiting]
    this.#setSubscribers([])
    this.#startWaiting()
    this.drain()
  }

  /** The venue has sent everything up to `head`: a tick that has not arrived by now is lost. */
  checkHead(head: number): void {
    if (this.phase !== 'live' || head <= this.seq) return
    this.#moveTo('filling')
    this.#host.onSequenceGap(this)
  }

  /** Applies the snapshot's price and instant unless that tick is already known. */
  applySnapshot(head: number, at: EpochMs, price: PriceUnits): void {
    if (head === this.newestSeq) return
    this.newestSeq = head
    this.newestAt = at
    this.newestPrice = price
    this.previousPrice = price
  }

  /** Tells the host that there is something to publish, once until {@link markPublished}. */
  markChanged(): void {
    if (this.#isChanged) return
    this.#isChanged = true
    this.#host.onChange(this)
  }

  markPublished(): void {
    this.#isChanged = false
  }

  #moveTo(phase: Phase, seq = this.seq): void {
    this.phase = phase
    this.seq = seq
  }

  #pass(run: TickRun): void {
    this.seq = lastSeqOf(run)
    this.#noteNewest(run, this.seq)
    callSafely(this.#emit, run)
  }

  /** Keeps the newest tick of a run and the price before it, if no newer one is known. */
  #noteNewest(run: TickRun, last = lastSeqOf(run)): void {
    if (last <= this.newestSeq) return
    const { values } = run
    const { length } = values
    this.previousPrice = length > 3 ? ((values[length - 5] ?? 0) as PriceUnits) : this.newestPrice
    this.newestPrice = (values[length - 2] ?? 0) as PriceUnits
    this.newestAt = (values[length - 3] ?? 0) as EpochMs
    this.newestSeq = last
    if (!this.#isChanged) this.markChanged()
  }

  #goLive(): void {
    this.#moveTo('live')
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
    this.#emit = callOf(subscribers)
  }

  /** Receives a run that is not the next one, or while the sequence is not in sync. */
  #receiveOutOfOrder(run: TickRun): void {
    const last = lastSeqOf(run)
    if (this.phase === 'off') return
    if (this.phase === 'live') {
      if (last <= this.seq) return
      if (run.seq0 <= this.seq) return this.fill(run)
      this.#moveTo('filling')
      this.#enqueue(run)
      this.#host.onSequenceGap(this)
    } else if (this.phase === 'filling') {
      this.#enqueue(run)
    }
    this.#noteNewest(run)
  }

  #enqueue(run: TickRun): void {
    if (this.#queued > queuedTicksMax) return
    this.#queue.push(run)
    this.#queued += countOf(run)
  }
}
