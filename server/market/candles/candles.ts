import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  bucketOf,
  aggregateCandles,
  timeframes,
  type Candle,
  type Timeframe,
} from '../../../contract/candles.ts'
import { hourMs, minuteMs } from '../../../contract/time.ts'
import { foldSeedHistory, minutesFrom, repeatedHours } from '../seedHistory.ts'
import type { SeedHistory, ProductState } from '../productState.ts'
import type { ChunkReads } from '../log/chunkStore.ts'
import { unpackHour } from './bucketRows.ts'
import type { BucketReads } from './bucketStore.ts'
import { MinuteBuckets, candleOfMinute } from './minuteBuckets.ts'
import { ShortCandleReader } from './shortCandles.ts'

type Page = { candles: Candle[]; from: number }

/** Hour rows read in one query: without their minutes they are small. */
const hoursPerPage = 2000
const fullHoursPerPage = 24

/** The computed time before the first start: its minutes, and the hours before those. */
type SeedCandles = { minutes: MinuteBuckets; hours: readonly Candle[] }

/**
 * Candles of all timeframes, newest first: from minutes in memory, then from stored hours, then from the computed time
 * before the first start; those under a minute from the tick log.
 */
export class CandleReader {
  readonly #store: BucketReads
  readonly #short: ShortCandleReader
  /** Seed histories never change, so each is computed once. */
  readonly #seedHistories = new WeakMap<ProductState, Promise<SeedCandles>>()

  constructor(store: BucketReads, chunks: ChunkReads) {
    this.#store = store
    this.#short = new ShortCandleReader(chunks)
  }

  /**
   * The newest `limit` candles that open before `to`, ascending, as decimal numbers; the last may still be open. Of a
   * timeframe under a minute they may be fewer, see {@link ShortCandleReader.read}.
   */
  async read(state: ProductState, tf: Timeframe, to: number, limit: number): Promise<Candle[]> {
    const tfMs = timeframes[tf]
    const candles =
      tfMs < minuteMs
        ? await this.#short.read(state, tfMs, Math.ceil(to / tfMs) * tfMs, limit)
        : await this.#readLong(state, tfMs, to, limit)
    return candles.map((candle) => toDecimal(state, candle))
  }

  async #readLong(state: ProductState, tfMs: number, to: number, limit: number): Promise<Candle[]> {
    let candles: Candle[] = []
    for await (const older of this.#readBackwards(state, tfMs, to)) {
      candles = aggregateCandles([...older, ...candles], tfMs)
      // One more than requested: the oldest one read may be incomplete.
      if (candles.length > limit) break
    }
    return candles.slice(-limit)
  }

  /** Yields runs of candles in units, each ascending, from the newest run back to the oldest, without overlap. */
  async *#readBackwards(state: ProductState, tfMs: number, to: number): AsyncGenerator<Candle[]> {
    const { buckets, seedHistory } = state
    // Whole candles only: if `to` is inside a candle, all its minutes are included.
    const end = Math.ceil(to / tfMs) * tfMs
    const memoryFrom = buckets.count > 0 ? bucketOf(buckets.openAt(0), hourMs) : Number.POSITIVE_INFINITY
    yield candlesBetween(buckets, 0, end)
    const unread = Math.min(end, memoryFrom)
    let before = unread
    // Rows start with the minute of the first start; before it there is only the computed history.
    const historyEnd = seedHistory ? bucketOf(seedHistory.firstAt, minuteMs) : 0
    while (before > historyEnd) {
      const page =
        tfMs < hourMs ? await this.#readMinutes(state.ix, before) : await this.#readHours(state.ix, before)
      if (!page) break
      yield page.candles
      before = page.from
    }
    if (!seedHistory) return
    const { minutes, hours } = await this.#seedHistory(state, seedHistory)
    yield candlesBetween(minutes, 0, Math.min(unread, historyEnd))
    if (tfMs >= hourMs) yield hours.filter(({ openAt }) => openAt < unread)
  }

  async #readMinutes(ix: number, before: number): Promise<Page | null> {
    const rows = (await this.#store.hoursBefore(ix, before, fullHoursPerPage)).toReversed()
    if (!rows[0]) return null
    const minutes = rows.flatMap((row) => unpackHour(row.openAt, row.minutes).map(candleOfMinute))
    return { candles: minutes.filter((candle) => candle.openAt < before), from: rows[0].openAt }
  }

  async #readHours(ix: number, before: number): Promise<Page | null> {
    const candles = (await this.#store.hourCandlesBefore(ix, before, hoursPerPage)).toReversed()
    return candles[0] ? { candles, from: candles[0].openAt } : null
  }

  /** Aggregating a busy day takes a few hundred milliseconds, so this yields to the event loop in between. */
  #seedHistory(state: ProductState, seedHistory: SeedHistory): Promise<SeedCandles> {
    let candles = this.#seedHistories.get(state)
    if (!candles) {
      candles = (async () => {
        const minutes = new MinuteBuckets()
        for (const _ of foldSeedHistory(seedHistory, minutesFrom(seedHistory), minutes))
          await yieldToEventLoop()
        const hours = repeatedHours(seedHistory, candlesBetween(minutes, 0, Number.POSITIVE_INFINITY))
        return { minutes, hours }
      })()
      this.#seedHistories.set(state, candles)
    }
    return candles
  }
}

function candlesBetween(buckets: MinuteBuckets, from: number, to: number): Candle[] {
  const candles: Candle[] = []
  for (let i = buckets.indexFrom(from); i < buckets.count && buckets.openAt(i) < to; i++) {
    candles.push(buckets.candle(i))
  }
  return candles
}

function toDecimal({ settings }: ProductState, candle: Candle): Candle {
  const price = 10 ** settings.priceDecimals
  return {
    openAt: candle.openAt,
    open: candle.open / price,
    high: candle.high / price,
    low: candle.low / price,
    close: candle.close / price,
    volume: candle.volume / 10 ** settings.sizeDecimals,
    lastSeq: candle.lastSeq,
  }
}
