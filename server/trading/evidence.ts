import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Gap } from '../../contract/settle.ts'
import type { Db } from '../db/database.ts'
import { orders } from '../db/schema/order.ts'

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

/** How many orders of a product a gap in its feed refunded. */
export async function refundedOrders(db: Db, productId: string, gap: Gap): Promise<number> {
  const touched: SQL[] = [gt(orders.closeAt, gap.from)]
  if (gap.to !== null) touched.push(lt(orders.acceptedAt, gap.to))
  return db.$count(orders, and(eq(orders.productId, productId), eq(orders.reason, 'FEED_DOWN'), ...touched))
}
