import { Observable, Subject, asyncScheduler } from 'rxjs'
import type { SchedulerLike, Subscription } from 'rxjs'
import { frameIntervalMs, heartbeatMs, ticksPerFrameMax } from '../../contract/constants.ts'
import type { Recording } from '../../contract/recording.ts'
import { encodeTicks } from '../../contract/socket.ts'
import type { FeedEvent, SubscribeMode, TickBlock } from '../../contract/socket.ts'
import type { Api, Tick, Wire, WireEvent } from '../types.ts'
import { ReplayedProduct } from './replayedProduct.ts'
import type { ReplayProduct } from './replayedProduct.ts'
import { scheduleRepeating } from './repeat.ts'

export type ReplayOptions = {
  /**
   * Recorded milliseconds per millisecond, more than 0; 1 is the original speed. `Infinity` replays everything at once;
   * the clock of a wire then continues from the last recorded instant.
   */
  speed?: number
  scheduler?: SchedulerLike
}
export type ReplayWire = {
  wire: Wire
  api: Pick<Api, 'products' | 'product' | 'ticksAfter' | 'candles'>
}

/**
 * A recording's ticks with their recorded spacing; several of one instant are emitted together. Completes with the
 * recording.
 * @throws RangeError if `speed` is not more than 0
 */
export function replayTicks(recording: Recording, options: ReplayOptions = {}): Observable<Tick> {
  const { speed, scheduler } = validateOptions(options)
  return new Observable<Tick>((subscriber) => {
    const { at, price, size } = recording
    const first = at[0] ?? 0
    const start = scheduler.now()
    let n = 0
    const due = (i: number): number => start + ((at[i] ?? 0) - first) / speed
    return scheduleRepeating(scheduler, 0, () => {
      while (!subscriber.closed && n < at.length && due(n) <= scheduler.now()) {
        subscriber.next({ seq: n + 1, at: at[n] ?? 0, price: price[n] ?? 0, size: size[n] ?? 0 })
        n++
      }
      if (n === at.length) subscriber.complete()
      return subscriber.closed ? undefined : Math.ceil(due(n) - scheduler.now())
    })
  })
}

/**
 * An in-memory market from recordings: a wire with the contract's frames, heartbeats and tickers, and the matching REST
 * calls. On a virtual scheduler it replays identically every time, at any speed. It has no members: the caller adds
 * account calls.
 * @throws RangeError if `speed` is not more than 0
 */
export function createReplayWire(
  products: readonly ReplayProduct[],
  options: ReplayOptions = {},
): ReplayWire {
  const { speed, scheduler } = validateOptions(options)
  const events = new Subject<WireEvent>()
  const all = products.map((product, ix) => new ReplayedProduct(product, ix))
  const byId = new Map(all.map((product) => [product.id, product]))
  const subscribed = new Map<string, { mode: SubscribeMode; sent: number }>()
  const origin = Math.min(...all.map((product) => product.firstAt))
  const start = scheduler.now()
  const end = Math.max(...all.map((product) => product.lastAt))
  const now = (): number => {
    const elapsed = scheduler.now() - start
    if (speed < Infinity) return Math.floor(origin + elapsed * speed)
    return elapsed === 0 ? origin : end + elapsed
  }
  let running: Subscription | undefined

  const emit = (name: string, data: unknown): void => events.next({ kind: 'event', name, data })
  const advanceAll = (): void => {
    for (const product of all) product.advanceTo(now())
  }
  const sendFrames = (): void => {
    advanceAll()
    const blocks = all.flatMap((product) => blocksOf(product, subscribed.get(product.id)))
    for (const frame of framesOf(blocks)) emit('ticks', encodeTicks({ at: now(), blocks: frame }))
  }
  const sendHeartbeat = (): void => {
    sendFrames()
    const subscribedProducts = all.filter((product) => subscribed.has(product.id))
    emit('figures', { at: now(), f: subscribedProducts.map((product) => product.ticker()) })
    const p: FeedEvent['p'] = {}
    for (const product of subscribedProducts)
      p[product.id] = { watermark: now(), status: 'live', ...product.head }
    emit('feed', { at: now(), p })
  }
  const find = (id: string): ReplayedProduct => {
    const product = byId.get(id)
    if (!product) throw new RangeError(`no recording of ${id}`)
    product.advanceTo(now())
    return product
  }
  const subscribe = (ids: string[], mode: SubscribeMode): unknown => {
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
  }
  const disconnect = (): void => {
    if (!running) return
    running.unsubscribe()
    running = undefined
    subscribed.clear()
    events.next({ kind: 'down', reason: 'io client disconnect', willRetry: false })
  }
  const wire: Wire = {
    event$: events.asObservable(),
    subscribe: (ids, mode) => Promise.resolve(subscribe(ids, mode)),
    unsubscribe: (ids) => {
      for (const id of ids) subscribed.delete(id)
      return Promise.resolve({ ok: true })
    },
    clock: (t0) => Promise.resolve({ t0, t1: now(), t2: now() }),
    connect: () => {
      if (running) return
      running = every(scheduler, frameIntervalMs, sendFrames)
      running.add(every(scheduler, heartbeatMs, sendHeartbeat))
      events.next({ kind: 'up' })
      emit('hello', { now: now(), build: 'replay', heartbeatMs })
    },
    disconnect,
  }
  const api: ReplayWire['api'] = {
    products: () => Promise.resolve(all.map((product) => find(product.id).product())),
    product: (id) => Promise.resolve(find(id).detail()),
    ticksAfter: (id, afterSeq) => Promise.resolve(find(id).ticksAfter(afterSeq)),
    candles: (id, tf, to, limit) => Promise.resolve(find(id).candles(tf, to ?? now() + 1, limit)),
  }
  return { wire, api }
}

function validateOptions({ speed = 1, scheduler = asyncScheduler }: ReplayOptions): Required<ReplayOptions> {
  if (!(speed > 0)) throw new RangeError(`A replay's speed is more than 0, not ${speed}.`)
  return { speed, scheduler }
}

function every(scheduler: SchedulerLike, ms: number, work: () => void): Subscription {
  return scheduleRepeating(scheduler, ms, () => {
    work()
    return ms
  })
}

/** The ticks not sent to a subscriber yet: all of them, or only the newest. */
function blocksOf(
  product: ReplayedProduct,
  subscription: { mode: SubscribeMode; sent: number } | undefined,
): TickBlock[] {
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
