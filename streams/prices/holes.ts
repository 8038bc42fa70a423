import { minuteMs } from '../../contract/time.ts'
import type { Candle } from '../../contract/candles.ts'

/** A longer hole stays, of more bars and of more time: the market was closed, and a flat line of hours would say nothing. */
const filledMaxBars = 300
const filledMaxMs = 5 * minuteMs

/** How many bars of a length are filled at most. */
export const filledMax = (tfMs: number): number => Math.max(filledMaxBars, filledMaxMs / tfMs)

/**
 * The bars of the buckets without a tick between two bars, at the price before them. Bars under a minute are so short
 * that many have no tick, and if they were left out, seconds would have no fixed width on the chart. Longer bars have holes
 * only while the market is closed, and they stay.
 * @param until when the bar after the hole opens
 */
export function barsInHole(before: Candle, until: number, tfMs: number): Candle[] {
  const missing = (until - before.openAt) / tfMs - 1
  if (tfMs >= minuteMs || missing > filledMax(tfMs)) return []
  const { close, lastSeq } = before
  return Array.from({ length: Math.max(0, missing) }, (_, i) => ({
    openAt: before.openAt + (i + 1) * tfMs,
    open: close,
    high: close,
    low: close,
    close,
    volume: 0,
    lastSeq,
  }))
}

/** Ascending bars without the holes that {@link barsInHole} fills, also the one before `until` if it is passed. */
export function withoutHoles(bars: readonly Candle[], tfMs: number, until?: number): Candle[] {
  return bars.flatMap((bar, i) => {
    const next = bars[i + 1]?.openAt ?? until
    return next === undefined ? [bar] : [bar, ...barsInHole(bar, next, tfMs)]
  })
}
