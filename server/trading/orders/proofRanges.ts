import { sql } from 'drizzle-orm'
import { leafMaxDelayMs } from '../../../contract/constants.ts'
import type { Db } from '../../platform/db/database.ts'

/** A time span whose ticks are needed by the proof of an order. */
export type ProofRange = { from: number; to: number }

/**
 * The time spans of a product's orders that reach back before an instant, merged if they overlap: from the acceptance,
 * by rule R2 one window earlier (`proofStart` in proof.ts), to the first leaf of the public log at or after the close, or
 * the close if there is none within the time in which a proof looks for one. Pruning must leave them alone, with three
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
    SELECT start_at AS "from", coalesce((SELECT min(at) FROM log_leaf
      WHERE at BETWEEN close_at AND close_at + ${leafMaxDelayMs}::bigint), close_at) AS "to"
    FROM (SELECT min(start_at) AS start_at, max(close_at) AS close_at FROM islands GROUP BY island) AS merged
    ORDER BY start_at`)
  return rows
}
