import { bucketOf } from '../../contract/candles.ts'
import type { Feed } from '../feed/feed.ts'
import type { Backfill } from './book.ts'
import type { TickColumns } from './columns.ts'
import { minuteMs } from './minute-buckets.ts'
import type { MinuteBuckets } from './minute-buckets.ts'

/** Ticks are computed this much time at once, so that memory stays small. */
const sliceMs = 300_000

/**
 * The numbers of computed ticks: the last one at or before `firstAt` has seq 0, those before it count down. They are
 * computed when asked for, never stored and not chained, because nobody saw them live.
 */
export const oldestSeq = (feed: Feed, { firstAt }: Backfill): number => 1 - feed.countAt(firstAt)

/** Computed ticks from `seq` on (≤ 0), at most `limit` of them and none after the past's end. */
export function computedTicks(feed: Feed, { firstAt }: Backfill, seq: number, limit: number): TickColumns {
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

/** Number of the first computed tick with `at` ≥ t; above 0 where there is none. */
export const firstSeqAt = (feed: Feed, { firstAt }: Backfill, t: number): number =>
  feed.countAt(Math.min(t - 1, firstAt)) - feed.countAt(firstAt) + 1

/** Folds the computed ticks from `from` on into minutes; in slices, so that a caller may pause between them. */
export function* foldPast(
  feed: Feed,
  { firstAt }: Backfill,
  from: number,
  into: MinuteBuckets,
): Generator<void> {
  const all = feed.countAt(firstAt)
  let seq = feed.countAt(from - 1) - all
  for (let at = from - 1; at < firstAt; at += sliceMs) {
    const values = feed.due(at, Math.min(firstAt, at + sliceMs))
    for (let i = 0; i < values.length; i += 3) {
      into.add(++seq, values[i] ?? 0, values[i + 1] ?? 0, values[i + 2] ?? 0)
    }
    yield
  }
}

/** Where the minutes of a past begin that is asked for from `t` on. */
export const pastFrom = (past: Backfill, t: number): number => Math.max(past.from, bucketOf(t, minuteMs))
