import { desc, sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { feedGap, minuteRow, tickBatch } from '../db/schema/index.ts'

export type MinuteRow = { openAt: number; data: Buffer }
export type GapRow = { ix: number; fromAt: number; toAt: number }
/** What one flush writes, all of it or nothing. */
export type FlushRows = {
  id: number
  at: number
  data: Buffer
  minutes: readonly MinuteRow[]
  gaps: readonly GapRow[]
}
export type FlushStore = {
  write(rows: FlushRows): Promise<void>
  /** The newest flush: its number and its watermark. */
  newest(): Promise<{ id: number; at: number } | null>
}

const gapRowsMax = 5000

export function flushStore(db: Db): FlushStore {
  const insertBatch = db
    .insert(tickBatch)
    .values({ id: sql.placeholder('id'), at: sql.placeholder('at'), data: sql.placeholder('data') })
    .prepare('insert_tick_batch')
  return {
    write: async ({ id, at, data, minutes, gaps }) => {
      if (minutes.length === 0 && gaps.length === 0) {
        await insertBatch.execute({ id, at, data })
        return
      }
      await db.transaction(async (tx) => {
        await tx.insert(tickBatch).values({ id, at, data })
        if (minutes.length > 0) await tx.insert(minuteRow).values([...minutes])
        for (let i = 0; i < gaps.length; i += gapRowsMax) {
          await tx.insert(feedGap).values(gaps.slice(i, i + gapRowsMax))
        }
      })
    },
    newest: async () => {
      const [row] = await db
        .select({ id: tickBatch.id, at: tickBatch.at })
        .from(tickBatch)
        .orderBy(desc(tickBatch.id))
        .limit(1)
      return row ?? null
    },
  }
}

/** The newest instant that the log of an earlier run reached, 0 where there is none: the clock must not start before. */
export async function newestWatermark(db: Db): Promise<number> {
  return (await flushStore(db).newest())?.at ?? 0
}
