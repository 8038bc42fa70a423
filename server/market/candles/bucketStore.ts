import { and, asc, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { hourMs } from '../../../contract/time.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { bucketHour, minuteRow } from '../schema.ts'
import type { MinuteRow } from '../log/flushStore.ts'

export type HourRow = typeof bucketHour.$inferSelect
export type HourCandle = Omit<HourRow, 'minutes'>

/** Completed minutes and hours, as the database stores them. */
export type BucketReads = {
  /** Every minute before this instant is stored, by itself or in its hour; null if nothing is stored yet. */
  storedUntil(): Promise<number | null>
  /** Minute rows with from ≤ openAt < to, ascending. */
  minutes(from: number, to: number): Promise<MinuteRow[]>
  hoursSince(t: number): Promise<HourRow[]>
  /** A product's hours before t, newest first. */
  hoursBefore(ix: number, t: number, limit: number): Promise<HourRow[]>
  /** Like {@link hoursBefore}, without their minutes. */
  hourCandlesBefore(ix: number, t: number, limit: number): Promise<HourCandle[]>
  /** The last price of each product before t, from stored hours only. */
  closesBefore(t: number): Promise<Map<number, number>>
  oldestMinute(): Promise<number | null>
}
export type BucketStore = BucketReads & {
  /** Writes the hour of every product and deletes its minutes, in one transaction. */
  compactHour(hourAt: number, rows: readonly HourRow[]): Promise<void>
}

const rowsMax = 500

export function createBucketReads(db: Db | DbTransaction): BucketReads {
  const { ix, openAt, open, high, low, close, volume, lastSeq } = bucketHour
  const candle = { ix, openAt, open, high, low, close, volume, lastSeq }
  return {
    storedUntil: async () => {
      const { rows } = await db.execute<{ minute: number | null; hour: number | null }>(sql`
        SELECT (SELECT max(open_at) + 60000 FROM minute_row) AS minute,
               (SELECT max(open_at) + 3600000 FROM bucket_hour) AS hour`)
      const { minute = null, hour = null } = rows[0] ?? {}
      return minute === null && hour === null ? null : Math.max(minute ?? 0, hour ?? 0)
    },
    minutes: (from, to) =>
      db
        .select()
        .from(minuteRow)
        .where(and(gte(minuteRow.openAt, from), lt(minuteRow.openAt, to)))
        .orderBy(asc(minuteRow.openAt)),
    hoursSince: (t) =>
      db
        .select()
        .from(bucketHour)
        .where(gte(bucketHour.openAt, t))
        .orderBy(asc(bucketHour.ix), asc(bucketHour.openAt)),
    hoursBefore: (productIx, t, limit) =>
      db
        .select()
        .from(bucketHour)
        .where(and(eq(bucketHour.ix, productIx), lt(bucketHour.openAt, t)))
        .orderBy(desc(bucketHour.openAt))
        .limit(limit),
    hourCandlesBefore: (productIx, t, limit) =>
      db
        .select(candle)
        .from(bucketHour)
        .where(and(eq(bucketHour.ix, productIx), lt(bucketHour.openAt, t)))
        .orderBy(desc(bucketHour.openAt))
        .limit(limit),
    closesBefore: async (t) => {
      const { rows } = await db.execute<{ ix: number; close: number }>(sql`
        SELECT p.ix, h.close FROM feed_product p, LATERAL (
          SELECT close FROM bucket_hour WHERE ix = p.ix AND open_at < ${t} ORDER BY open_at DESC LIMIT 1) h`)
      return new Map(rows.map((row) => [row.ix, row.close]))
    },
    oldestMinute: async () => {
      const [row] = await db.select().from(minuteRow).orderBy(asc(minuteRow.openAt)).limit(1)
      return row?.openAt ?? null
    },
  }
}

export function createBucketStore(db: Db, fence: Fence): BucketStore {
  return {
    ...createBucketReads(db),
    compactHour: (hourAt, rows) =>
      fence.transaction(db, async (tx) => {
        await tx.execute(sql`SELECT set_config('uptick.prune', 'on', true)`)
        for (let i = 0; i < rows.length; i += rowsMax) {
          await tx.insert(bucketHour).values(rows.slice(i, i + rowsMax))
        }
        await tx.delete(minuteRow).where(lt(minuteRow.openAt, hourAt + hourMs))
      }),
  }
}
