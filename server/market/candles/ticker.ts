import { bucketOf } from '../../../contract/candles.ts'
import { priceUnits, epochMs } from '../../../contract/units.ts'
import type { Ticker } from '../../../contract/products.ts'
import { changeBp, formatPrice, formatTurnover, formatUnits } from '../../../contract/price.ts'
import { dayMs, minuteMs } from '../../../contract/time.ts'
import type { TradingHours } from '../ports.ts'
import type { ProductState } from '../productState.ts'
import { toBigInt, emptySum, type ExactSum } from './exactSum.ts'
import type { MinuteBuckets } from './minuteBuckets.ts'

const windowMs = dayMs
const sparkMs = 1_800_000
const sparkCount = 48

/** The aggregate of a window's minutes except the newest, which is not complete. */
type Window = {
  from: number
  newest: number
  base: number
  high: number
  low: number
  volume: ExactSum
  turnover: ExactSum
}

/** Rolling 24-hour tickers, to the minute. Completed minutes are summed once per minute. */
export class TickerCalculator {
  readonly #windows = new WeakMap<MinuteBuckets, Window>()

  /** The product's ticker at `now`: the 24 hours before it, from a full minute on. */
  compute(state: ProductState, tradingHours: TradingHours, now: number): Ticker {
    const { id, priceDecimals, sizeDecimals } = state.settings
    const { buckets, last } = state
    const from = bucketOf(now, minuteMs) - windowMs
    const window = this.#window(buckets, from)
    const volume = { ...window.volume }
    const turnover = { ...window.turnover }
    let { high, low, base } = window
    const newest = buckets.count - 1
    if (newest >= 0 && buckets.openAt(newest) >= from) {
      high = Math.max(high, buckets.high(newest))
      low = Math.min(low, buckets.low(newest))
      if (base === 0) base = buckets.open(newest)
      buckets.addVolumeTo(volume, newest)
      buckets.addTurnoverTo(turnover, newest)
    }
    const price = (units: number): string => formatPrice(priceUnits(units), priceDecimals)
    return {
      id,
      last: price(last.price),
      lastAt: epochMs(last.at),
      change24hBp: changeBp(last.price, base),
      high24h: price(high === Number.NEGATIVE_INFINITY ? last.price : high),
      low24h: price(low === Number.POSITIVE_INFINITY ? last.price : low),
      volume24h: formatVolume(toBigInt(volume), sizeDecimals),
      amount24h: formatTurnover(toBigInt(turnover), priceDecimals + sizeDecimals),
      status: tradingHours.status,
      opensAt: epochMs(tradingHours.opensAt),
      closesAt: epochMs(tradingHours.closesAt),
    }
  }

  #window(buckets: MinuteBuckets, from: number): Window {
    const newest = buckets.count === 0 ? 0 : buckets.openAt(buckets.count - 1)
    const cached = this.#windows.get(buckets)
    if (cached && cached.from === from && cached.newest === newest) return cached
    const window = sumWindow(buckets, from, newest)
    this.#windows.set(buckets, window)
    return window
  }
}

function sumWindow(buckets: MinuteBuckets, from: number, newest: number): Window {
  const start = buckets.indexFrom(from)
  const window: Window = {
    from,
    newest,
    base: start > 0 ? buckets.close(start - 1) : buckets.closeBefore,
    high: Number.NEGATIVE_INFINITY,
    low: Number.POSITIVE_INFINITY,
    volume: emptySum(),
    turnover: emptySum(),
  }
  for (let i = start; i < buckets.count - 1; i++) {
    if (window.base === 0) window.base = buckets.open(i)
    window.high = Math.max(window.high, buckets.high(i))
    window.low = Math.min(window.low, buckets.low(i))
    buckets.addVolumeTo(window.volume, i)
    buckets.addTurnoverTo(window.turnover, i)
  }
  return window
}

/** A tick in two seconds. */
const ticksPerMinuteMin = 30
/** Of fewer minutes nothing is said: a product that has just been added has none. */
const knownMinutesMin = 30

/** Whether the minutes in memory have few ticks each; the newest one is not complete. */
export function isThin(buckets: MinuteBuckets): boolean {
  const known = buckets.count - 2
  if (known < knownMinutesMin) return false
  return buckets.lastSeq(known) - buckets.lastSeq(0) < known * ticksPerMinuteMin
}

/**
 * 48 half-hour closes, oldest first, as decimal numbers; a half hour without ticks has the close before it. Empty before
 * the first tick.
 */
export function sparkOf(state: ProductState, now: number): number[] {
  const { buckets, last, settings } = state
  const scale = 10 ** settings.priceDecimals
  const from = bucketOf(now, sparkMs) - (sparkCount - 1) * sparkMs
  let i = buckets.indexFrom(from)
  let close = i > 0 ? buckets.close(i - 1) : buckets.closeBefore
  if (close === 0) close = i < buckets.count ? buckets.open(i) : last.price
  if (close === 0) return []
  return Array.from({ length: sparkCount }, (_, half) => {
    const end = from + (half + 1) * sparkMs
    for (; i < buckets.count && buckets.openAt(i) < end; i++) close = buckets.close(i)
    return close / scale
  })
}

/** Formats an integer number of size units as the contract writes a size. */
function formatVolume(units: bigint, decimals: number): string {
  if (units <= BigInt(Number.MAX_SAFE_INTEGER)) {
    const text = formatUnits(Number(units), decimals)
    return decimals === 0 ? text : text.replace(/\.?0+$/, '')
  }
  const digits = units.toString()
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`
}
