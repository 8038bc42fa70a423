import { desc, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { heldTerm, type Fence } from '../../platform/db/fence.ts'
import { feedGap, minuteRow, tickBatch } from '../schema.ts'

export type MinuteRow = { openAt: number; data: Buffer }
export type GapRow = { ix: number; fromAt: number; toAt: number }
/** The rows of one flush, written in one transaction. */
export type FlushRows = {
  id: number
  at: number
  data: Buffer
  minutes: readonly MinuteRow[]
  gaps: readonly GapRow[]
}
export type FlushStore = {
  write(rows: FlushRows): Promise<void>
  /** The newest committed flush. */
  newest(): Promise<typeof tickBatch.$inferSelect | null>
}

const gapRowsMax = 5000

export function createFlushStore(db: Db, fence: Fence): FlushStore {
  const { term } = fence
  const insertBatch = db
    .insert(tickBatch)
    .values({
      id: sql.placeholder('id'),
      at: sql.placeholder('at'),
      data: sql.placeholder('data'),
      term: heldTerm(sql.placeholder('term')),
    })
    .prepare('insert_tick_batch')
  return {
    write: ({ id, at, data, minutes, gaps }) =>
      fence.guard(async () => {
        if (minutes.length === 0 && gaps.length === 0) {
          await insertBatch.execute({ id, at, data, term })
          return
        }
        await db.transaction(async (tx) => {
          await tx.insert(tickBatch).values({ id, at, data, term: heldTerm(term) })
          if (minutes.length > 0) await tx.insert(minuteRow).values([...minutes])
          for (let i = 0; i < gaps.length; i += gapRowsMax) {
            await tx.insert(feedGap).values(gaps.slice(i, i + gapRowsMax))
          }
        })
      }),
    newest: async () => {
      const [row] = await db.select().from(tickBatch).orderBy(desc(tickBatch.id)).limit(1)
      return row ?? null
    },
  }
}

/** The watermark of the log that an earlier run left, 0 if there is none: the clock must not start before it. */
export async function readNewestWatermark(db: Db): Promise<number> {
  const [row] = await db.select({ at: tickBatch.at }).from(tickBatch).orderBy(desc(tickBatch.id)).limit(1)
  return row?.at ?? 0
}
