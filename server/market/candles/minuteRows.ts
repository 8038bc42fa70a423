import type { MinuteRow } from '../log/flushStore.ts'
import type { ProductState } from '../productState.ts'
import { packMinute } from './bucketRows.ts'

/** The rows of the minutes from `from` until `until`, to which no tick is added any more. */
export function minuteRowsOf(
  productStates: readonly Pick<ProductState, 'ix' | 'buckets'>[],
  from: number,
  until: number,
): MinuteRow[] {
  if (until <= from) return []
  const rows = new Map<number, Parameters<typeof packMinute>[0][number][]>()
  for (const { ix, buckets } of productStates) {
    for (let i = buckets.indexFrom(from); i < buckets.count && buckets.openAt(i) < until; i++) {
      const bucket = buckets.bucket(i)
      const row = rows.get(bucket.openAt)
      if (row) row.push({ ix, bucket })
      else rows.set(bucket.openAt, [{ ix, bucket }])
    }
  }
  return [...rows].map(([openAt, buckets]) => ({ openAt, data: packMinute(buckets) }))
}
