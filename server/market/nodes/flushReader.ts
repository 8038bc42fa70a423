import { asc, gt, gte, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { feedGap, minuteRow, tickBatch } from '../../db/schema/index.ts'
import type { FlushMessage } from './flushMessage.ts'

/** More wait for the next read: a node that was away for long must not fill its memory at once. */
const flushesMax = 200

/** Reads the committed flushes after one from the database, in order: for a node that did not receive them. */
export function readFlushesAfter(db: Db, newest: { id: number; at: number }): Promise<FlushMessage[]> {
  // One snapshot, so that the gaps are those of the flushes that are read, and none of a later one.
  return db.transaction(
    async (tx) => {
      const rows = await tx
        .select()
        .from(tickBatch)
        .where(gt(tickBatch.id, newest.id))
        .orderBy(asc(tickBatch.id))
        .limit(flushesMax)
      const last = rows.at(-1)
      if (last === undefined) return []
      const gaps = await tx
        .select()
        .from(feedGap)
        .where(gte(feedGap.toAt, newest.at))
        .orderBy(asc(feedGap.fromAt))
      const [stored] = await tx
        .select({ until: sql<number | null>`max(${minuteRow.openAt}) + 60000` })
        .from(minuteRow)
      return rows.map((row) => ({
        id: row.id,
        at: row.at,
        term: row.term,
        data: row.data,
        // The table does not name the flush of a gap. All of them with the first flush: never too late.
        gaps: row === rows[0] ? gaps.map(({ ix, fromAt, toAt }) => ({ ix, fromAt, toAt })) : [],
        minutesUntil: stored?.until ?? 0,
        openingPrices: [],
      }))
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}
