import { EMPTY, Observable, Subject, defer, exhaustMap, firstValueFrom, timer } from 'rxjs'
import type { SchedulerLike } from 'rxjs'
import { catchError, map } from 'rxjs'
import { candlesPageMax } from '../../contract/constants.ts'
import { bucketOf, candleOf, extendCandle, timeframes } from '../../contract/candles.ts'
import type { Candle, Timeframe } from '../../contract/candles.ts'
import type { RestCandle } from '../../contract/products.ts'
import type { Scale } from '../backfill.ts'
import { failureOf, isTransient } from '../failure.ts'
import type { Hub } from '../hub.ts'
import type { Api, CandleEvent, CandleFeed } from '../types.ts'

/** Bars of the snapshot; a page of older ones is larger, because it is requested less often. */
const snapshotBars = 300
const olderBars = Math.min(600, candlesPageMax)
const retryMinMs = 500
const retryMaxMs = 15_000
/** Ticks that may be queued while the snapshot is loading; beyond, a newer snapshot is fetched. */
const queuedTicksMax = 20_000

export type CandlesParts = {
  hub: Pick<Hub, 'listen'>
  api: Pick<Api, 'candles'>
  scaleOf: (id: string) => Promise<Scale>
  scheduler: SchedulerLike
}

/**
 * A chart's bars in decimal prices. The snapshot is requested once live ticks have started, and joined with them by
 * `lastSeq`, so that every tick counts exactly once; it is fetched again when the ticks restart. Computed in integers,
 * so that a live volume equals the venue's. A failed fetch is retried and never ends the stream.
 */
export function createCandleFeed(id: string, tf: Timeframe, parts: CandlesParts): CandleFeed {
  const olderRequests = new Subject<void>()
  const events$ = new Observable<CandleEvent>((subscriber) => {
    const fold = new CandleFold(id, tf, parts, (event) => subscriber.next(event))
    subscriber.add(parts.hub.listen(id, fold))
    subscriber.add(() => fold.close())
    subscriber.add(
      olderRequests
        .pipe(exhaustMap(() => older$(id, tf, fold, parts)))
        .subscribe((event) => subscriber.next(event)),
    )
  })
  return { events$, loadOlder: () => olderRequests.next() }
}

/** The page before the oldest bar. Empty if the request fails; it may be repeated. */
function older$(id: string, tf: Timeframe, fold: CandleFold, parts: CandlesParts): Observable<CandleEvent> {
  return defer(() => {
    const { generation, oldestAt } = fold
    if (oldestAt === undefined) return EMPTY
    return defer(() => parts.api.candles(id, tf, oldestAt, olderBars)).pipe(
      map((rows): CandleEvent[] => {
        // A new snapshot arrived meanwhile: this page may not join it.
        if (fold.generation !== generation) return []
        const page = rows.map(barOf).filter((bar) => bar.openAt < oldestAt)
        fold.oldestAt = page[0]?.openAt ?? oldestAt
        return [{ kind: 'older', candles: page, done: rows.length < olderBars }]
      }),
      catchError(() => EMPTY),
    )
  }).pipe(exhaustMap((events) => events))
}

/** The bars of one chart: ticks are queued until the snapshot arrives, then extend its last bar or start the next. */
class CandleFold {
  generation = 0
  oldestAt: number | undefined
  readonly #id: string
  readonly #tf: Timeframe
  readonly #parts: CandlesParts
  readonly #emit: (event: CandleEvent) => void
  #scale: Scale = { priceDecimals: 0, sizeDecimals: 0 }
  /** In integers; undefined while the product has no bar. */
  #last: Candle | undefined
  #lastSeq = Number.NaN
  #ready = false
  #queue: number[] = []
  #closed = false

  constructor(id: string, tf: Timeframe, parts: CandlesParts, emit: (event: CandleEvent) => void) {
    this.#id = id
    this.#tf = tf
    this.#parts = parts
    this.#emit = emit
  }

  readonly start = (): void => {
    this.#ready = false
    this.#queue = []
    this.generation++
    void this.#fetch(this.generation)
  }

  readonly tick = (seq: number, at: number, price: number, size: number): void => {
    if (this.#ready) this.#fold(seq, at, price, size)
    else if (this.#queue.length < queuedTicksMax * 4) this.#queue.push(seq, at, price, size)
  }

  close(): void {
    this.#closed = true
    this.generation++
  }

  async #fetch(generation: number): Promise<void> {
    for (let tries = 0; generation === this.generation && !this.#closed; tries++) {
      try {
        const scale = await this.#parts.scaleOf(this.#id)
        const rows = await this.#parts.api.candles(this.#id, this.#tf, undefined, snapshotBars)
        if (generation !== this.generation) return
        this.#scale = scale
        if (this.#applySnapshot(rows)) return
      } catch (error) {
        if (!isTransient(failureOf(error))) return
      }
      const pause = Math.min(retryMinMs * 2 ** tries, retryMaxMs)
      await firstValueFrom(timer(pause, this.#parts.scheduler))
    }
  }

  /** False if ticks are missing between the snapshot and the queued ones. */
  #applySnapshot(rows: readonly RestCandle[]): boolean {
    const bars = rows.map(barOf)
    const newest = bars.at(-1)
    const queue = this.#queue
    const first = queue[0]
    const overflowed = queue.length >= queuedTicksMax * 4
    this.#queue = overflowed ? [] : queue
    if (overflowed || (newest && first !== undefined && first > newest.lastSeq + 1)) return false
    this.oldestAt = bars[0]?.openAt
    this.#last = newest && scaled(newest, 10 ** this.#scale.priceDecimals, 10 ** this.#scale.sizeDecimals)
    this.#lastSeq = newest?.lastSeq ?? Number.NEGATIVE_INFINITY
    this.#ready = true
    this.#queue = []
    this.#emit({ kind: 'snapshot', candles: bars })
    for (let i = 0; i < queue.length; i += 4) {
      this.#fold(queue[i] ?? 0, queue[i + 1] ?? 0, queue[i + 2] ?? 0, queue[i + 3] ?? 0)
    }
    return true
  }

  #fold(seq: number, at: number, price: number, size: number): void {
    if (seq <= this.#lastSeq) return
    const tfMs = timeframes[this.#tf]
    const last = this.#last
    const isSameBucket = last !== undefined && bucketOf(at, tfMs) <= last.openAt
    this.#last = isSameBucket ? extendCandle(last, seq, price, size) : candleOf(tfMs, seq, at, price, size)
    this.#lastSeq = seq
    this.oldestAt ??= this.#last.openAt
    const { priceDecimals, sizeDecimals } = this.#scale
    this.#emit({ kind: 'live', candle: unscaled(this.#last, 10 ** priceDecimals, 10 ** sizeDecimals) })
  }
}

const barOf = ([openAt, open, high, low, close, volume, lastSeq]: RestCandle): Candle => ({
  openAt,
  open,
  high,
  low,
  close,
  volume,
  lastSeq,
})

const scaled = (bar: Candle, price: number, size: number): Candle => ({
  ...bar,
  open: Math.round(bar.open * price),
  high: Math.round(bar.high * price),
  low: Math.round(bar.low * price),
  close: Math.round(bar.close * price),
  volume: Math.round(bar.volume * size),
})

const unscaled = (bar: Candle, price: number, size: number): Candle => ({
  ...bar,
  open: bar.open / price,
  high: bar.high / price,
  low: bar.low / price,
  close: bar.close / price,
  volume: bar.volume / size,
})
