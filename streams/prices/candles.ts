import {
  EMPTY,
  Subject,
  defer,
  exhaustMap,
  from,
  merge,
  takeUntil,
  catchError,
  filter,
  map,
  mergeMap,
  share,
  tap,
  type Observable,
  type SchedulerLike,
} from 'rxjs'
import { candlesPageMax, firstBars } from '../../contract/constants.ts'
import {
  bucketOf,
  candleOf,
  extendCandle,
  timeframes,
  type Candle,
  type Timeframe,
} from '../../contract/candles.ts'
import type { RestCandle } from '../../contract/products.ts'
import type { FeedEvent } from '../../contract/socket.ts'
import { minuteMs } from '../../contract/time.ts'
import type { Hub } from './hub.ts'
import { joinRuns, type JoinEvent, type Snapshot } from '../operators/joinRuns.ts'
import { forEachTick } from './tickRun.ts'
import type { Api } from '../parts.ts'
import { barsInHole, filledMax, withoutHoles } from './holes.ts'
import type { CandleEvent, CandleFeed, Scale, TickRun } from '../types.ts'

/** A page of older ones is larger than the snapshot, because it is requested less often. */
const olderBars = Math.min(600, candlesPageMax)
/** Enough to continue a snapshot that is some seconds old, in a tenth of its bytes. */
const newestBars = 30

export type CandlesParts = {
  hub: Pick<Hub, 'run$'>
  /** Heartbeats: up to when a product's ticks are complete, and the newest of them. */
  feed$: Observable<FeedEvent>
  api: Pick<Api, 'candles'>
  scaleOf: (id: string) => Promise<Scale>
  scheduler: SchedulerLike
}
type Bars = { bars: readonly Candle[]; scale: Scale }

/**
 * A chart's bars in decimal prices: a snapshot joined with the live ticks, so that every tick counts exactly once; it
 * is fetched again when the ticks restart. Computed in integers, so that a live volume equals the venue's. Bars under a
 * minute have no gaps and continue at the last price while no tick arrives. A failed fetch never ends the stream.
 */
export function createCandleFeed(id: string, tf: Timeframe, parts: CandlesParts): CandleFeed {
  const olderRequests = new Subject<void>()
  const load = async (limit: number): Promise<Snapshot<Bars>> => {
    const [scale, rows] = await Promise.all([parts.scaleOf(id), parts.api.candles(id, tf, undefined, limit)])
    return snapshotOf({ bars: rows.map(barOf), scale })
  }
  const events$ = defer(() => {
    const fold = new CandleFold(tf)
    const first = loadFirst(parts.hub.run$(id), load)
    const joined$ = joinRuns(first.run$, first.fetch, parts.scheduler).pipe(
      filter((event) => event.kind !== 'snapshot' || !first.isShown(event.value)),
      share(),
    )
    const snapshot$ = joined$.pipe(filter((event) => event.kind === 'snapshot'))
    const shown$ = first.value$.pipe(
      takeUntil(snapshot$),
      map((value) => ({ kind: 'snapshot' as const, value })),
    )
    // After a new snapshot, a page that was requested before it may not join it.
    const older$ = olderRequests.pipe(
      exhaustMap(() => olderPage$(id, tf, fold, parts).pipe(takeUntil(snapshot$))),
    )
    const bars$ = merge(shown$, joined$).pipe(mergeMap((event) => fold.next(event)))
    // Last, so that a heartbeat's ticks are counted before it.
    const carried$ = parts.feed$.pipe(mergeMap(({ p }) => fold.carry(p[id])))
    return merge(bars$, older$, carried$)
  })
  return { events$, loadOlder: () => olderRequests.next() }
}

/** Bars continued by later ones; undefined if they do not overlap. A bar that ended is final, so only the last differs. */
function joinBars({ bars }: Bars, later: Bars): Snapshot<Bars> | undefined {
  const from = later.bars[0]?.openAt
  const last = bars.at(-1)
  if (from === undefined || last === undefined || from > last.openAt) return undefined
  const joined = [...bars.filter(({ openAt }) => openAt < from), ...later.bars]
  return snapshotOf({ bars: joined.slice(-firstBars), scale: later.scale })
}

const snapshotOf = (value: Bars): Snapshot<Bars> => ({ value, lastSeq: value.bars.at(-1)?.lastSeq })

/**
 * Requests the first bars along with the ticks instead of after them, so that a chart has them a round trip sooner. They
 * are shown as they arrive, and joined with the ticks; if they lack one from before the ticks started, the newest bars are
 * requested again.
 */
function loadFirst(run$: Observable<TickRun>, load: (limit: number) => Promise<Snapshot<Bars>>) {
  let startSeq = 0
  let shown: Bars | undefined
  let pending: Promise<Snapshot<Bars>> | undefined = load(firstBars)
  const value$ = from(pending).pipe(
    map(({ value }) => (shown = value)),
    catchError(() => {
      pending = undefined
      return EMPTY
    }),
  )
  const fetch = async (): Promise<Snapshot<Bars>> => {
    if (pending === undefined) return load(firstBars)
    const request = pending
    pending = undefined
    const bars = await request
    if ((bars.lastSeq ?? -1) >= startSeq - 1) return bars
    return joinBars(bars.value, (await load(newestBars)).value) ?? load(firstBars)
  }
  return {
    // The first run is the empty one that starts the sequence.
    run$: run$.pipe(tap(({ seq0, values }) => (startSeq = values.length === 0 ? seq0 : startSeq))),
    fetch,
    value$,
    isShown: (value: Bars) => value === shown,
  }
}

/** The page before the oldest bar. Empty if the request fails; it may be repeated. */
function olderPage$(
  id: string,
  tf: Timeframe,
  fold: CandleFold,
  parts: CandlesParts,
): Observable<CandleEvent> {
  const { oldestAt } = fold
  if (oldestAt === undefined) return EMPTY
  return defer(() => parts.api.candles(id, tf, oldestAt, olderBars)).pipe(
    map((rows): CandleEvent => {
      const page = rows.map(barOf).filter((bar) => bar.openAt < oldestAt)
      fold.oldestAt = page[0]?.openAt ?? oldestAt
      const tfMs = timeframes[tf]
      // Under a minute the venue may answer fewer bars than there are.
      const done = tfMs < minuteMs ? rows.length === 0 : rows.length < olderBars
      return { kind: 'older', candles: withoutHoles(page, tfMs, oldestAt), done }
    }),
    catchError(() => EMPTY),
  )
}

/** The bars of one chart: ticks extend the snapshot's last bar or start the next. */
class CandleFold {
  oldestAt: number | undefined
  readonly #tfMs: number
  #scale: Scale = { priceDecimals: 0, sizeDecimals: 0 }
  /** In integers; undefined while the product has no bar. */
  #last: Candle | undefined
  /** When the newest bar with a tick opens. */
  #tradedAt = 0

  constructor(tf: Timeframe) {
    this.#tfMs = timeframes[tf]
  }

  next(event: JoinEvent<Bars>): CandleEvent[] {
    if (event.kind === 'failed') return []
    return event.kind === 'run' ? this.#extend(event.run) : [this.#start(event.value)]
  }

  #start({ bars, scale }: Bars): CandleEvent {
    const newest = bars.at(-1)
    this.#scale = scale
    this.#last = newest && scaled(newest, 10 ** scale.priceDecimals, 10 ** scale.sizeDecimals)
    this.#tradedAt = newest?.openAt ?? 0
    this.oldestAt = bars[0]?.openAt
    return { kind: 'snapshot', candles: withoutHoles(bars, this.#tfMs) }
  }

  /** The bars that a run changes, once each: its ticks are mostly of one bar. */
  #extend(run: TickRun): CandleEvent[] {
    const changed: Candle[] = []
    forEachTick(run, (seq, at, price, size) => {
      const last = this.#last
      const openAt = bucketOf(at, this.#tfMs)
      const isSameBucket = last !== undefined && openAt <= last.openAt
      if (isSameBucket) changed.pop()
      else if (last !== undefined) changed.push(...barsInHole(last, openAt, this.#tfMs))
      this.#last = isSameBucket
        ? extendCandle(last, seq, price, size)
        : candleOf(this.#tfMs, seq, at, price, size)
      changed.push(this.#last)
      this.#tradedAt = this.#last.openAt
    })
    this.oldestAt ??= changed[0]?.openAt
    return this.#live(changed)
  }

  /** The bars that ended without a tick. None while a tick that the heartbeat announced has not arrived. */
  carry(feed: FeedEvent['p'][string] | undefined): CandleEvent[] {
    const last = this.#last
    if (last === undefined || feed?.watermark === undefined || feed.seq !== last.lastSeq) return []
    const until = bucketOf(feed.watermark, this.#tfMs)
    // As long as a hole between two ticks is filled: after that the market is closed.
    if (until - this.#tradedAt > filledMax(this.#tfMs) * this.#tfMs) return []
    const carried = barsInHole(last, until, this.#tfMs)
    this.#last = carried.at(-1) ?? last
    return this.#live(carried)
  }

  #live(changed: readonly Candle[]): CandleEvent[] {
    const price = 10 ** this.#scale.priceDecimals
    const size = 10 ** this.#scale.sizeDecimals
    return changed.map((bar) => ({ kind: 'live', candle: unscaled(bar, price, size) }))
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
