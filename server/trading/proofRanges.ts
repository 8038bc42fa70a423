import { sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'

/** A time span whose ticks are needed by the proof of an order. */
export type ProofRange = { from: number; to: number }

/**
 * The time spans of a product's orders that reach back before an instant, merged if they overlap: from the acceptance,
 * by rule R2 one window earlier (`proofStart` in proof.ts), to the close. Pruning must leave them alone, with three
 * ticks around each.
 */
export async function proofRanges(db: Db, productId: string, before: number): Promise<ProofRange[]> {
  const { rows } = await db.execute<ProofRange & Record<string, unknown>>(sql`
    WITH spans AS (
      SELECT accepted_at - coalesce(exit_window_ms, 0) AS start_at, close_at, id
      FROM orders WHERE product_id = ${productId}
    ), own AS (
      SELECT start_at, close_at, max(close_at) OVER (ORDER BY start_at, id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached, id
      FROM spans WHERE start_at < ${before}::bigint
    ), islands AS (
      SELECT start_at, close_at,
        count(*) FILTER (WHERE reached IS NULL OR start_at > reached) OVER (ORDER BY start_at, id) AS island
      FROM own
    )
    SELECT min(start_at) AS "from", max(close_at) AS "to" FROM islands GROUP BY island ORDER BY island`)
  return rows
}
