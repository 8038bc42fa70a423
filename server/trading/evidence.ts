import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Gap } from '../../contract/settle.ts'
import type { Db } from '../db/database.ts'

/** Times whose ticks some order's proof needs. */
export type ProofRange = { from: number; to: number }

/**
 * The times of a product's orders that were accepted before an instant, merged where they touch: what pruning must
 * leave alone, with three ticks around each.
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

/** How many orders a gap refunded: it hid the time up to their entry, or the time from their exit to their close. */
export async function refundedOrders(db: Db, productId: string, gap: Gap): Promise<number> {
  const to = gap.to ?? Number.MAX_SAFE_INTEGER
  const hides = (after: SQL, until: SQL): SQL =>
    sql`(${gap.from}::bigint < ${until} AND ${to}::bigint > ${after})`
  const limit = sql`coalesce(entry_at, least(accepted_at + entry_timeout_ms, close_at))`
  const { rows } = await db.execute<{ count: number }>(sql`
    SELECT count(*) AS count FROM orders
    WHERE product_id = ${productId} AND reason = 'FEED_DOWN' AND close_at > ${gap.from}::bigint
      AND (${hides(sql`accepted_at`, limit)} OR ${hides(sql`exit_at`, sql`close_at`)})`)
  return rows[0]?.count ?? 0
}
