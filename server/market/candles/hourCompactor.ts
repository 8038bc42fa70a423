import { bucketOf, aggregateCandles } from '../../../contract/candles.ts'
import { hourMs } from '../../../contract/time.ts'
import { packHour, unpackMinute } from './bucketRows.ts'
import type { BucketStore, HourRow } from './bucketStore.ts'
import type { MinuteRow } from '../log/flushStore.ts'
import { candleOfMinute, type MinuteBucket } from './minuteBuckets.ts'

/**
 * Compacts the minutes of completed hours into one row per product.
 * @param minutesUntil the first minute without a row
 */
export async function compactHours(store: BucketStore, minutesUntil: number): Promise<void> {
  const end = bucketOf(minutesUntil, hourMs)
  let oldest = await store.oldestMinute()
  while (oldest !== null && oldest < end) {
    const hourAt = bucketOf(oldest, hourMs)
    const minutes = await store.minutes(hourAt, hourAt + hourMs)
    await store.compactHour(hourAt, hourRows(hourAt, minutes))
    oldest = await store.oldestMinute()
  }
}

/** Regroups the minute rows of an hour, each with all products, into one row per product with all its minutes. */
function hourRows(hourAt: number, rows: readonly MinuteRow[]): HourRow[] {
  const byProduct = new Map<number, MinuteBucket[]>()
  for (const { openAt, data } of rows) {
    for (const { ix, bucket } of unpackMinute(openAt, data)) {
      const minutes = byProduct.get(ix)
      if (minutes) minutes.push(bucket)
      else byProduct.set(ix, [bucket])
    }
  }
  return [...byProduct].map(([ix, minutes]) => hourRow(ix, hourAt, minutes))
}

function hourRow(ix: number, hourAt: number, minutes: readonly MinuteBucket[]): HourRow {
  const [candle] = aggregateCandles(minutes.map(candleOfMinute), hourMs)
  if (!candle) throw new RangeError('the hour has no minutes')
  return { ix, ...candle, openAt: hourAt, minutes: packHour(hourAt, minutes) }
}
