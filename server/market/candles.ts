import { setImmediate as pause } from 'node:timers/promises'
import { bucketOf, regroup, timeframes } from '../../contract/candles.ts'
import type { Candle, Timeframe } from '../../contract/candles.ts'
import { foldPast } from './backfill.ts'
import type { Backfill, Book } from './book.ts'
import { unpackHour } from './bucket-rows.ts'
import { hourMs } from './bucket-store.ts'
import type { BucketReads } from './bucket-store.ts'
import { MinuteBuckets, candleOfMinute, minuteMs } from './minute-buckets.ts'

type Page = { candles: Candle[]; from: number }

/** Hour rows read at once: without their minutes many fit. */
const hoursPerPage = 2000
const fullHoursPerPage = 24

/** Candles of all timeframes from minutes: memory, then the database's hours, then the computed day before the first start. */
export class CandleReader {
  readonly #store: BucketReads
  /** Pasts computed once: they never change. */
  readonly #pasts = new WeakMap<Book, Promise<MinuteBuckets>>()

  constructor(store: BucketReads) {
    this.#store = store
  }

  /** The newest `limit` candles that open before `to`, ascending, as decimal numbers; the last may be open still. */
  async read(book: Book, tf: Timeframe, to: number, limit: number): Promise<Candle[]> {
    const tfMs = timeframes[tf]
    let candles: Candle[] = []
    for await (const older of this.#older(book, tfMs, to)) {
      candles = regroup([...older, ...candles], tfMs)
      // One more than asked for: the oldest one read may lack its beginning.
      if (candles.length > limit) break
    }
    return candles.slice(-limit).map((candle) => decimal(book, candle))
  }

  /** Ascending runs of units, from the newest run back to the oldest, none overlapping. */
  async *#older(book: Book, tfMs: number, to: number): AsyncGenerator<Candle[]> {
    const { buckets, backfill } = book
    // Whole candles only: `to` inside one takes it in, with all its minutes.
    const end = Math.ceil(to / tfMs) * tfMs
    const memoryFrom = buckets.count > 0 ? bucketOf(buckets.openAt(0), hourMs) : Number.POSITIVE_INFINITY
    yield range(buckets, 0, end)
    const unread = Math.min(end, memoryFrom)
    let before = unread
    // Rows begin with the minute of the first start; before it there is only the computed past.
    const pastEnd = backfill ? bucketOf(backfill.firstAt, minuteMs) : 0
    while (before > pastEnd) {
      const page = tfMs < hourMs ? await this.#minutes(book.ix, before) : await this.#hours(book.ix, before)
      if (!page) break
      yield page.candles
      before = page.from
    }
    if (backfill) yield range(await this.#past(book, backfill), 0, Math.min(unread, pastEnd))
  }

  async #minutes(ix: number, before: number): Promise<Page | null> {
    const rows = (await this.#store.hoursBefore(ix, before, fullHoursPerPage)).toReversed()
    if (!rows[0]) return null
    const minutes = rows.flatMap((row) => unpackHour(row.openAt, row.minutes).map(candleOfMinute))
    return { candles: minutes.filter((candle) => candle.openAt < before), from: rows[0].openAt }
  }

  async #hours(ix: number, before: number): Promise<Page | null> {
    const candles = (await this.#store.hourCandlesBefore(ix, before, hoursPerPage)).toReversed()
    return candles[0] ? { candles, from: candles[0].openAt } : null
  }

  /** Folding a busy day takes a few hundred milliseconds: the event loop gets its turns in between. */
  #past(book: Book, backfill: Backfill): Promise<MinuteBuckets> {
    let past = this.#pasts.get(book)
    if (!past) {
      past = (async () => {
        const minutes = new MinuteBuckets()
        for (const _ of foldPast(book.feed, backfill, backfill.from, minutes)) await pause()
        return minutes
      })()
      this.#pasts.set(book, past)
    }
    return past
  }
}

function range(buckets: MinuteBuckets, from: number, to: number): Candle[] {
  const candles: Candle[] = []
  for (let i = buckets.indexFrom(from); i < buckets.count && buckets.openAt(i) < to; i++) {
    candles.push(buckets.candle(i))
  }
  return candles
}

function decimal({ settings }: Book, candle: Candle): Candle {
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
