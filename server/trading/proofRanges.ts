import { sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'

/** A time span whose ticks are needed by the proof of an order. */
export type ProofRange = { from: number; to: number }

/**
 * The time spans of a product's orders that were accepted before an instant, merged if they overlap. Pruning must leave
 * them alone, with three ticks around each.
 */
export async function proofRanges(db: Db, productId: string, before: number): Promise<ProofRange[]> {
  const { rows } = await db.execute<ProofRange & Record<string, unknown>>(sql`
    WITH own AS (
      SELECT accepted_at, close_at, max(close_at) OVER (ORDER BY accepted_at, id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached, id
      FROM orders WHERE product_id = ${productId} AND accepted_at < ${before}::bigint
    ), islands AS (
      SELECT accepted_at, close_at,
        count(*) FILTER (WHERE reached IS NULL OR accepted_at > reached) OVER (ORDER BY accepted_at, id) AS island
      FROM own
    )
    SELECT min(accepted_at) AS "from", max(close_at) AS "to" FROM islands GROUP BY island ORDER BY island`)
  return rows
}
