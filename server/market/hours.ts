import { bucketOf, regroup } from '../../contract/candles.ts'
import { packHour, unpackMinute } from './bucket-rows.ts'
import { hourMs } from './bucket-store.ts'
import type { BucketStore, HourRow } from './bucket-store.ts'
import type { MinuteRow } from './flush-store.ts'
import { candleOfMinute } from './minute-buckets.ts'
import type { MinuteBucket } from './minute-buckets.ts'

/** Turns the minutes of hours that are over into one row a product; `minutesUntil` is the first minute without a row. */
export async function sealHours(store: BucketStore, minutesUntil: number): Promise<void> {
  const end = bucketOf(minutesUntil, hourMs)
  let oldest = await store.oldestMinute()
  while (oldest !== null && oldest < end) {
    const hourAt = bucketOf(oldest, hourMs)
    const minutes = await store.minutes(hourAt, hourAt + hourMs)
    await store.sealHour(hourAt, hourRows(hourAt, minutes))
    oldest = await store.oldestMinute()
  }
}

/** An hour's minute rows, turned from minutes of all products into products with all their minutes. */
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
  const [candle] = regroup(minutes.map(candleOfMinute), hourMs)
  if (!candle) throw new RangeError('an hour without minutes')
  return { ix, ...candle, openAt: hourAt, minutes: packHour(hourAt, minutes) }
}
