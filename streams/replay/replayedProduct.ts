import {
  bucketOf,
  candleOf,
  extendCandle,
  timeframes,
  type Candle,
  type Timeframe,
} from '../../contract/candles.ts'
import {
  genesis,
  linkHash,
  sha256Hex,
  type Head,
  type Sha256Hex,
  type WireTick,
} from '../../contract/chain.ts'
import { feedLiveMs, feedStaleMs, ticksPageMax } from '../../contract/constants.ts'
import { priceUnits, sizeUnits, epochMs, type EpochMs } from '../../contract/units.ts'
import { changeBp, formatPrice, formatSize, formatTurnover } from '../../contract/price.ts'
import {
  toRestTick,
  type Ticker,
  type Product,
  type ProductDetail,
  type RestCandle,
  type RestTick,
  type TicksAnswer,
} from '../../contract/products.ts'
import type { Recording, TradingPause } from '../../contract/recording.ts'
import { overlaps } from '../../contract/settle.ts'
import type { FeedStatus, ProductEvent } from '../../contract/socket.ts'
import type { Sides, TicksQuery } from '../types.ts'
import { pausesOf } from './pauses.ts'
import { sidesAt } from './sides.ts'
import { Turnover } from './turnover.ts'

/** A recording with the fields of the product table that are not derived from its prices. */
export type ReplayProduct = {
  recording: Recording
  product: Omit<ProductDetail, keyof Ticker | 'priceDecimals' | 'sizeDecimals' | 'spark' | 'chain'> & {
    id: string
  }
  /** A silence in the recording that is longer, in ms, is a time in which the market was closed. Default: it never was. */
  closedMs?: number
  /** When each tick arrived, ascending: it is sent then, instead of at its own instant. */
  arrivals?: Float64Array
}

/** One recorded product, replayed up to an instant: its ticker, its head, and its history as REST returns it. */
export class ReplayedProduct {
  readonly id: string
  readonly ix: number
  readonly #sha: Sha256Hex
  /** The number of the newest tick reached. */
  seq = 0
  #hashed: Head
  #recording: Recording
  #arrivals: Float64Array
  readonly gaps: { from: number; to: number }[] = []
  readonly #table: ReplayProduct['product']
  /** From the recording as it was: a gap is no closed time. */
  readonly #pauses: TradingPause[]
  #passedPauses = 0
  #instant = Number.NEGATIVE_INFINITY
  #origin = 0
  #coveredTo = Infinity
  #high = 0
  #low = 0
  #volume = 0
  readonly #turnover = new Turnover()

  constructor(
    { recording, product, closedMs = Infinity, arrivals }: ReplayProduct,
    ix: number,
    sha: Sha256Hex = sha256Hex,
  ) {
    this.id = product.id
    this.ix = ix
    this.#sha = sha
    this.#hashed = genesis(product.id)
    this.#recording = recording
    this.#arrivals = arrivals ?? recording.at
    this.#table = product
    this.#pauses = pausesOf(recording.at, closedMs)
  }

  /** Begins at `origin`, and is known to have no ticks after its last one if the market continues longer. */
  begin(origin: number, end: number): void {
    this.#origin = origin
    if (this.lastAt < end) this.#coveredTo = this.lastAt
    this.advanceTo(origin)
  }

  /** The newest tick in the chain, which is computed when it is asked for. */
  get head(): Head {
    let { seq, hash } = this.#hashed
    for (; seq < this.seq; seq++) hash = linkHash(hash, this.id, this.#wireTick(seq), this.#sha)
    this.#hashed = { seq, hash }
    return this.#hashed
  }

  /** Bid and ask of a tick by its number, if they were recorded. */
  sidesOf(seq: number): Sides {
    return sidesAt(this.#recording, seq - 1)
  }

  /** When the tick before the last one up to an instant arrives; −∞ if there are not two. */
  secondLastAt(instant: number): number {
    const arrivals = this.#arrivals
    let low = this.seq
    for (let high = arrivals.length; low < high;) {
      const middle = (low + high) >>> 1
      if ((arrivals[middle] ?? 0) <= instant) low = middle + 1
      else high = middle
    }
    return arrivals[low - 2] ?? Number.NEGATIVE_INFINITY
  }

  /** Whether its first tick is reached: before, it has no price. */
  get isBegun(): boolean {
    return this.seq > 0
  }

  get firstAt(): number {
    return this.#arrivals[0] ?? 0
  }

  get lastAt(): number {
    return this.#arrivals.at(-1) ?? 0
  }

  /** The next instant at which something changes: a tick arrives, or the market opens or closes. */
  get nextAt(): number {
    const tickAt = this.#arrivals[this.seq] ?? Infinity
    const pause = this.#nextPause()
    if (!pause) return tickAt
    // It is closed after its last tick.
    return Math.min(tickAt, this.#instant <= pause.closesAt ? pause.closesAt + 1 : pause.opensAt)
  }

  advanceTo(instant: number): void {
    this.#instant = Math.max(this.#instant, instant)
    const { at, price, size } = this.#recording
    for (let n = this.seq; n < at.length && (this.#arrivals[n] ?? 0) <= instant; n++) {
      const units = price[n] ?? 0
      this.#high = Math.max(this.#high, units)
      this.#low = n === 0 ? units : Math.min(this.#low, units)
      this.#volume += size[n] ?? 0
      this.#turnover.add(units, size[n] ?? 0)
      this.seq = n + 1
    }
  }

  /** Leaves out the later ticks within a gap; those that were played already stay. */
  addGap(gap: { from: number; to: number }): void {
    const { at, price, size, bid, ask } = this.#recording
    const kept = (_: number, n: number): boolean =>
      n < this.seq || !((at[n] ?? 0) > gap.from && (at[n] ?? 0) <= gap.to)
    this.#recording = {
      ...this.#recording,
      at: at.filter(kept),
      price: price.filter(kept),
      size: size.filter(kept),
      ...(bid && { bid: bid.filter(kept) }),
      ...(ask && { ask: ask.filter(kept) }),
    }
    this.#arrivals = this.#arrivals.filter(kept)
    this.gaps.push(gap)
  }

  /** The watermark does not advance in a gap, before the first tick or after the last; the status follows from its lag. */
  feedAt(instant: number): { watermark: EpochMs; status: FeedStatus } {
    if (!this.isBegun) return { watermark: epochMs(this.#origin), status: 'stale' }
    let watermark = Math.min(instant, this.#coveredTo)
    for (const gap of this.gaps)
      if (gap.to >= instant && overlaps(gap, gap.from, instant)) watermark = Math.min(watermark, gap.from)
    const behind = instant - watermark
    const status = behind <= feedLiveMs ? 'live' : behind <= feedStaleMs ? 'stale' : 'down'
    return { watermark: epochMs(watermark), status }
  }

  ticker(): Ticker {
    const { priceDecimals, sizeDecimals, price, at } = this.#recording
    const newest = this.seq - 1
    return {
      id: this.id,
      last: this.#priceText(price[newest] ?? 0),
      lastAt: epochMs(at[newest] ?? this.#origin),
      change24hBp: this.isBegun ? changeBp(price[newest] ?? 0, price[0] ?? 0) : 0,
      high24h: this.#priceText(this.#high),
      low24h: this.#priceText(this.#low),
      volume24h: formatSize(sizeUnits(this.#volume), sizeDecimals),
      amount24h: formatTurnover(this.#turnover.sum, priceDecimals + sizeDecimals),
      ...this.tradingHours(),
    }
  }

  get status(): ProductEvent['status'] {
    const next = this.#nextPause()
    return next !== undefined && this.#instant > next.closesAt ? 'closed' : 'open'
  }

  /** Whether the market was open at the instant reached, and when that changed. */
  tradingHours(): Pick<ProductEvent, 'status' | 'opensAt' | 'closesAt'> {
    const next = this.#nextPause()
    if (!next) return { status: 'open', opensAt: null, closesAt: null }
    if (this.#instant <= next.closesAt)
      return { status: 'open', opensAt: null, closesAt: epochMs(next.closesAt) }
    return { status: 'closed', opensAt: epochMs(next.opensAt), closesAt: null }
  }

  #nextPause(): TradingPause | undefined {
    const pauses = this.#pauses
    while (this.#instant >= (pauses[this.#passedPauses]?.opensAt ?? Infinity)) this.#passedPauses++
    return pauses[this.#passedPauses]
  }

  detail(): ProductDetail {
    const { priceDecimals, sizeDecimals } = this.#recording
    return { ...this.#table, ...this.ticker(), priceDecimals, sizeDecimals, chain: 1 }
  }

  product(): Product {
    const {
      durations: _durations,
      maxTickGapMs: _gap,
      entryTimeoutMs: _entry,
      rule: _rule,
      chain: _chain,
      ...product
    } = this.detail()
    return product
  }

  /** Triples (at, price, size) of the ticks with after < seq ≤ until. */
  values(after: number, until: number): number[] {
    const { at, price, size } = this.#recording
    const values: number[] = []
    for (let n = after; n < until; n++) values.push(at[n] ?? 0, price[n] ?? 0, size[n] ?? 0)
    return values
  }

  ticks(query: TicksQuery): TicksAnswer {
    const afterSeq = 'from' in query ? this.#countBefore(query.from) : query.afterSeq
    const until = Math.min(this.seq, afterSeq + ticksPageMax)
    const ticks: RestTick[] = []
    for (let n = afterSeq; n < until; n++) ticks.push(toRestTick(this.#wireTick(n)))
    return { ticks, complete: until === this.seq, before: null }
  }

  candles(tf: Timeframe, to: number, limit: number): RestCandle[] {
    const { at, price, size } = this.#recording
    const tfMs = timeframes[tf]
    const bars: Candle[] = []
    for (let n = 0; n < this.seq && (at[n] ?? 0) < to; n++) {
      const last = bars.at(-1)
      const [instant, units, volume] = [at[n] ?? 0, price[n] ?? 0, size[n] ?? 0]
      if (last?.openAt === bucketOf(instant, tfMs))
        bars[bars.length - 1] = extendCandle(last, n + 1, units, volume)
      else bars.push(candleOf(tfMs, n + 1, instant, units, volume))
    }
    return bars.slice(-limit).map((bar) => this.#decimals(bar))
  }

  #countBefore(instant: number): number {
    const { at } = this.#recording
    let n = 0
    while (n < this.seq && (at[n] ?? 0) < instant) n++
    return n
  }

  #decimals(bar: Candle): RestCandle {
    const price = 10 ** this.#recording.priceDecimals
    const size = 10 ** this.#recording.sizeDecimals
    const { openAt, open, high, low, close, volume, lastSeq } = bar
    return [openAt, open / price, high / price, low / price, close / price, volume / size, lastSeq]
  }

  #wireTick(n: number): WireTick {
    const { at, price, size, sizeDecimals } = this.#recording
    return [
      n + 1,
      at[n] ?? 0,
      this.#priceText(price[n] ?? 0),
      formatSize(sizeUnits(size[n] ?? 0), sizeDecimals),
    ]
  }

  #priceText(units: number): string {
    return formatPrice(priceUnits(units), this.#recording.priceDecimals)
  }
}
