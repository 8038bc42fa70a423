import {
  Observable,
  asyncScheduler,
  concat,
  of,
  switchMap,
  type SchedulerLike,
  type Subscription,
} from 'rxjs'
import type { Sha256Hex } from '../../contract/chain.ts'
import { epochMs, priceUnits, sizeUnits } from '../../contract/units.ts'
import { frameIntervalMs, heartbeatMs, replayBuild } from '../../contract/constants.ts'
import type { Recording } from '../../contract/recording.ts'
import { encodeTicks } from '../../contract/tickFrame.ts'
import type { Api, Wire, WireEvent } from '../parts.ts'
import type { Tick } from '../types.ts'
import type { ReplayProduct } from './replayedProduct.ts'
import { FunctionSubject } from '../prices/functionObservable.ts'
import { validSpeed, type ReplayClock } from './replayClock.ts'
import { createReplayMarket, type ReplayClient, type ReplayMarket } from './replayMarket.ts'
import { scheduleRepeating } from './repeat.ts'
import { sidesAt } from './sides.ts'

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
  api: Pick<Api, 'products' | 'product' | 'ticks' | 'candles'>
  /** Pauses, seeks, and changes the speed. */
  clock: ReplayClock
  faults: ReplayFaults
}
/** With what only a fake venue needs. */
export type WholeReplayWire = ReplayWire & {
  market: ReplayMarket
  /** Sends an event to the client, unless the connection is paused or down. */
  emit: (name: string, data: unknown) => void
}
/** The faults that a test can simulate in a replay. */
export type ReplayFaults = {
  gap: (from: number, to: number, id?: string) => void
  /** Keeps the connection open but holds back events until switched off, then sends them; meanwhile no other one opens. */
  silence: (isOn: boolean) => void
  /** Breaks the connection until `restore`. */
  cut: () => void
  restore: () => void
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
    const plainTickAt = (i: number): Tick => ({
      seq: i + 1,
      at: epochMs(at[i] ?? 0),
      price: priceUnits(price[i] ?? 0),
      size: sizeUnits(size[i] ?? 0),
    })
    const tickAt = recording.bid
      ? (i: number): Tick => ({ ...plainTickAt(i), ...sidesAt(recording, i) })
      : plainTickAt
    let n = 0
    const due = (i: number): number => start + ((at[i] ?? 0) - first) / speed
    return scheduleRepeating(scheduler, 0, () => {
      while (!subscriber.closed && n < at.length && due(n) <= scheduler.now()) {
        subscriber.next(tickAt(n))
        n++
      }
      if (n === at.length) subscriber.complete()
      return subscriber.closed ? undefined : Math.ceil(due(n) - scheduler.now())
    })
  })
}

export type ReplayWireOptions = ReplayOptions & {
  sha?: Sha256Hex
  withHashes?: boolean
  isDecoded?: boolean
}

/**
 * An in-memory market from recordings: a wire with the contract's frames, heartbeats and tickers, and the matching REST
 * calls. On a virtual scheduler it replays identically every time, at any speed. It has no members: the caller adds
 * account calls.
 * @param options `sha`: a SHA-256 that is faster than the one for every platform; `withHashes`: whether each second's heads have
 * their hashes, so that `seenHeads` has them; default: yes; `isDecoded`: prices come as the streams read them, not as they travel
 * @throws RangeError if `speed` is not more than 0
 */
export function createReplayWire(
  products: readonly ReplayProduct[],
  { isDecoded = false, ...options }: ReplayWireOptions = {},
): WholeReplayWire {
  const { speed, scheduler } = validateOptions(options)
  const market = createReplayMarket(products, { ...options, speed, scheduler })
  const { clock, find } = market
  const client = market.client()
  const { now } = clock
  const events = new FunctionSubject<WireEvent>()
  const emit = (name: string, data: unknown): void => events.next({ kind: 'event', name, data })
  const emitOwn = (name: string, data: unknown): void => events.next({ kind: 'event', name, data, isDecoded })
  const sendFrames = (): void => {
    if (!line.isSilent) sendPrices(client, emitOwn, now(), isDecoded)
  }
  const nextFrames$ = new Observable<never>(() =>
    scheduleRepeating(scheduler, frameIntervalMs, () => {
      sendFrames()
      return untilNextFrame(client.quietMs())
    }),
  )
  const frames$ = concat(of(undefined), clock.changed$).pipe(switchMap(() => nextFrames$))
  const sendHeartbeat = (): void => {
    if (line.isSilent) return
    sendFrames()
    emitOwn('figures', client.figures())
    emitOwn('feed', client.feed())
  }
  const line = createLine({
    open: () => {
      const running = frames$.subscribe()
      running.add(every(scheduler, heartbeatMs, sendHeartbeat))
      return running
    },
    onUp: () => {
      events.next({ kind: 'up' })
      emit('hello', { now: now(), build: replayBuild, heartbeatMs })
    },
    onDown: (reason, willRetry) => {
      client.unsubscribeAll()
      events.next({ kind: 'down', reason, willRetry })
    },
  })
  const wire: Wire = {
    event$: events,
    subscribe: (ids, mode) => Promise.resolve(client.subscribe(ids, mode)),
    unsubscribe: (ids) => Promise.resolve(client.unsubscribe(ids)),
    clock: (t0) => Promise.resolve({ t0, t1: now(), t2: now() }),
    connect: line.connect,
    disconnect: line.disconnect,
  }
  const api: ReplayWire['api'] = {
    products: () => Promise.resolve(market.ids.map((id) => find(id).product())),
    product: (id) => Promise.resolve(find(id).detail()),
    ticks: (id, query) => Promise.resolve(find(id).ticks(query)),
    candles: (id, tf, to, limit) => Promise.resolve(find(id).candles(tf, to ?? now() + 1, limit)),
  }
  const { silence, cut, restore } = line
  const faults: ReplayFaults = { gap: market.gap, silence, cut, restore }
  const emitIfUp = (name: string, data: unknown): void =>
    void (line.isUp && !line.isSilent && emit(name, data))
  return { wire, api, clock, faults, market, emit: emitIfUp }
}

type LineParts = {
  /** What runs while the connection is open. */
  open: () => Subscription
  onUp: () => void
  onDown: (reason: string, willRetry: boolean) => void
}

/** The line to a client: its connection opens once it is wanted and nothing is wrong with the line. */
function createLine({ open, onUp, onDown }: LineParts) {
  let running: Subscription | undefined
  let [isWanted, isSilent, isCut] = [false, false, false]
  const openIfWanted = (): void => {
    if (running || !isWanted || isSilent || isCut) return
    running = open()
    onUp()
  }
  const close = (reason: string, willRetry: boolean): void => {
    if (!running) return
    running.unsubscribe()
    running = undefined
    onDown(reason, willRetry)
  }
  return {
    get isUp() {
      return running !== undefined
    },
    get isSilent() {
      return isSilent
    },
    connect: (): void => {
      isWanted = true
      openIfWanted()
    },
    disconnect: (): void => {
      isWanted = false
      close('io client disconnect', false)
    },
    silence: (isOn: boolean): void => {
      isSilent = isOn
      openIfWanted()
    },
    cut: (): void => {
      isCut = true
      close('transport close', true)
    },
    restore: (): void => {
      isCut = false
      openIfWanted()
    },
  }
}

function sendPrices(
  client: ReplayClient,
  emit: (name: string, data: unknown) => void,
  at: number,
  isDecoded: boolean,
): void {
  for (const blocks of client.newFrames())
    emit('ticks', isDecoded ? { at, blocks } : encodeTicks({ at, blocks }))
  for (const change of client.statusChanges()) emit('product', change)
}

/** A day has 1.7 million frames, most of them empty: those in which nothing can change are not waited for one by one. */
function untilNextFrame(quietMs: number): number {
  const frames = Math.ceil(quietMs / frameIntervalMs)
  return Math.max(1, Math.min(frames, heartbeatMs / frameIntervalMs)) * frameIntervalMs
}

function validateOptions({ speed = 1, scheduler = asyncScheduler }: ReplayOptions): Required<ReplayOptions> {
  return { speed: validSpeed(speed), scheduler }
}

function every(scheduler: SchedulerLike, ms: number, work: () => void): Subscription {
  return scheduleRepeating(scheduler, ms, () => {
    work()
    return ms
  })
}
