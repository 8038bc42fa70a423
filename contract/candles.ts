import { dayMs, hourMs, minuteMs, secondMs } from './time.ts'

/**
 * Timeframes and their lengths in milliseconds; buckets are floor(at / length) × length in UTC. The venue folds those under a
 * minute from the tick log when they are requested, as far back as it has ticks.
 */
export const timeframes = {
  '250ms': 250,
  '1s': secondMs,
  '5s': 5 * secondMs,
  '15s': 15 * secondMs,
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '1h': hourMs,
  '4h': 4 * hourMs,
  '1d': dayMs,
} as const
export type Timeframe = keyof typeof timeframes
export const timeframeNames = Object.keys(timeframes) as Timeframe[]

/** One bucket of trades. Prices and volume are in the caller's unit (integers at the venue). */
export type Candle = {
  openAt: number
  open: number
  high: number
  low: number
  close: number
  volume: number
  lastSeq: number
}

export const bucketOf = (at: number, tfMs: number): number => Math.floor(at / tfMs) * tfMs

/** A candle of one tick. */
export function candleOf(tfMs: number, seq: number, at: number, price: number, size: number): Candle {
  return {
    openAt: bucketOf(at, tfMs),
    open: price,
    high: price,
    low: price,
    close: price,
    volume: size,
    lastSeq: seq,
  }
}

/** Adds a later tick of the same bucket. A tick that the candle already contains (seq ≤ lastSeq) changes nothing. */
export function extendCandle(candle: Candle, seq: number, price: number, size: number): Candle {
  if (seq <= candle.lastSeq) return candle
  return {
    openAt: candle.openAt,
    open: candle.open,
    high: Math.max(candle.high, price),
    low: Math.min(candle.low, price),
    close: price,
    volume: candle.volume + size,
    lastSeq: seq,
  }
}

/** Aggregates ascending candles into ascending ones of a longer timeframe. */
export function aggregateCandles(candles: readonly Candle[], tfMs: number): Candle[] {
  const grouped: Candle[] = []
  for (const candle of candles) {
    const openAt = bucketOf(candle.openAt, tfMs)
    const last = grouped.at(-1)
    if (!last || last.openAt !== openAt) {
      grouped.push({ ...candle, openAt })
    } else {
      last.high = Math.max(last.high, candle.high)
      last.low = Math.min(last.low, candle.low)
      last.close = candle.close
      last.volume += candle.volume
      last.lastSeq = candle.lastSeq
    }
  }
  return grouped
}
