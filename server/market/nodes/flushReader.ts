import { asc, gt, gte, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { feedGap, minuteRow, tickBatch } from '../schema.ts'
import type { GapRow } from '../log/flushStore.ts'
import type { FlushMessage } from './flushMessage.ts'

/** More wait for the next read: a node that was away for long must not fill its memory at once. */
const flushesMax = 200
/** A gap ends before the flush that it is written with, by seconds at most. Those that a node has already are ignored. */
const gapsBeforeMs = 600_000

/** What the database has after one flush: the flushes in order, and every gap that a node may lack by then. */
export type StoredFlushes<F> = { flushes: readonly F[]; gaps: readonly GapRow[] }

/** Reads the committed flushes after one from the database, for a node that the bus did not bring them. */
export function readFlushesAfter(
  db: Db,
  newest: { id: number; at: number },
): Promise<StoredFlushes<FlushMessage>> {
  // One snapshot, so that no gap of these flushes is missing.
  return db.transaction(
    async (tx) => {
      const rows = await tx
        .select()
        .from(tickBatch)
        .where(gt(tickBatch.id, newest.id))
        .orderBy(asc(tickBatch.id))
        .limit(flushesMax)
      if (rows.length === 0) return { flushes: [], gaps: [] }
      const gaps = await tx
        .select()
        .from(feedGap)
        .where(gte(feedGap.toAt, newest.at - gapsBeforeMs))
        .orderBy(asc(feedGap.fromAt))
      const [stored] = await tx
        .select({ until: sql<number | null>`max(${minuteRow.openAt}) + 60000` })
        .from(minuteRow)
      const flushes = rows.map(({ id, at, term, data }) => ({
        id,
        at,
        term,
        data,
        gaps: [],
        minutesUntil: stored?.until ?? 0,
        openingPrices: [],
      }))
      return { flushes, gaps }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}
