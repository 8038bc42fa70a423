import type { Recording } from '../../../contract/recording.ts'
import { syntheticSource } from '../../../server/market/package.ts'

export type WalkOptions = {
  /** Default: 600 s. */
  seconds?: number
  /** Default: 2. */
  ticksPerSecond?: number
  /** The first price, in units of a hundredth; default 10,000. */
  start?: number
  /** A day's move as a fraction of the first price, roughly; default 0.02. */
  volatility?: number
  /** The first instant, epoch ms; default 2024-01-01. */
  startAt?: number
}

/** Made-up ticks, the same for the same seed and options: the walk of a venue's synthetic feed, with two decimals. */
export function walk(
  seed: number,
  {
    seconds = 600,
    ticksPerSecond = 2,
    start = 10_000,
    volatility = 0.02,
    startAt = 1_704_067_200_000,
  }: WalkOptions = {},
): Recording {
  const feed = syntheticSource({ seed, ticksPerSecond, start, volatility }).open(startAt)
  const ticks = Array.from({ length: seconds * ticksPerSecond }, (_, n) => feed.tickOf(n))
  return {
    priceDecimals: 2,
    sizeDecimals: 0,
    kind: 'trades',
    skipped: 0,
    at: Float64Array.from(ticks, ({ at }) => at),
    price: Float64Array.from(ticks, ({ price }) => price),
    size: Float64Array.from(ticks, ({ size }) => size),
  }
}
