import { aggregateCandles, bucketOf, type Candle } from '../../contract/candles.ts'
import { hourMs } from '../../contract/time.ts'
import type { SeedHistory } from './productState.ts'
import type { TickColumns } from './log/columns.ts'
import type { MinuteBuckets } from './candles/minuteBuckets.ts'

/** Ticks per slice: some milliseconds of work. */
const sliceTicks = 50_000

/**
 * Computed ticks from `seq` on, at most `limit` of them. The last one at or before `firstAt` has seq 0, and numbers
 * before it are negative. They are computed on request, not stored and not chained, because they were never live.
 */
export function computedTicks({ feed, firstAt }: SeedHistory, seq: number, limit: number): TickColumns {
  const all = feed.countAt(firstAt)
  const from = Math.max(0, seq - 1 + all)
  const count = Math.max(0, Math.min(limit, all - from))
  const columns = {
    at: new Float64Array(count),
    price: new Float64Array(count),
    size: new Float64Array(count),
  }
  for (let i = 0; i < count; i++) {
    const tick = feed.tickOf(from + i)
    columns.at[i] = tick.at
    columns.price[i] = tick.price
    columns.size[i] = tick.size
  }
  return { seq0: from + 1 - all, ...columns }
}

/** Number of the first computed tick with `at` ≥ t; above 0 if there is none. */
export const firstSeqAt = ({ feed, firstAt }: SeedHistory, t: number): number =>
  feed.countAt(Math.min(t - 1, firstAt)) - feed.countAt(firstAt) + 1

/** Adds the computed ticks from `from` on to minutes, in slices, so that the caller can pause between them. */
export function* foldSeedHistory(
  { feed, firstAt }: SeedHistory,
  from: number,
  into: MinuteBuckets,
): Generator<void> {
  const all = feed.countAt(firstAt)
  for (let n = feed.countAt(from - 1); n < all; n++) {
    const { at, price, size } = feed.tickOf(n)
    into.add(n + 1 - all, at, price, size)
    if (n % sliceTicks === 0) yield
  }
}

/**
 * From where its minutes are computed: all of it, or if its ticks come again the newest cycle, of which
 * {@link repeatedHours} are made.
 */
export const minutesFrom = ({ feed, from, firstAt }: SeedHistory): number =>
  feed.cycle ? Math.max(from, bucketOf(firstAt, hourMs) - feed.cycle.ms) : from

/**
 * The hours before {@link minutesFrom}, ascending: those of the newest cycle again, as often as the history is long.
 * @param minutes the candles of the newest cycle's minutes, in units
 */
export function repeatedHours({ feed, from, firstAt }: SeedHistory, minutes: readonly Candle[]): Candle[] {
  const { cycle } = feed
  if (!cycle) return []
  const end = bucketOf(firstAt, hourMs)
  const newest = aggregateCandles(
    minutes.filter(({ openAt }) => openAt >= end - cycle.ms && openAt < end),
    hourMs,
  )
  const times = Math.ceil((end - cycle.ms - from) / cycle.ms)
  return Array.from({ length: Math.max(0, times) }, (_, i) => times - i)
    .flatMap((k) =>
      newest.map((hour) => ({
        ...hour,
        openAt: hour.openAt - k * cycle.ms,
        lastSeq: hour.lastSeq - k * cycle.ticks,
      })),
    )
    .filter(({ openAt }) => openAt >= from && feed.countAt(openAt - 1) > 0)
}
