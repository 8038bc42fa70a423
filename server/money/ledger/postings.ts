import { pgTable, text } from 'drizzle-orm/pg-core'
import { and, eq, sql, type AnyColumn, type SQL } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { posting, deposit, withdrawal } from '../schema.ts'

/**
 * The columns stored with the postings of an order. The table is trading's, which builds on money. Each column has its
 * name here: Drizzle keeps names that it derives from keys by the table's name, and would then find these three only in
 * trading's table.
 */
const orders = pgTable('orders', {
  id: text('id').primaryKey(),
  no: text('no').notNull(),
  productId: text('product_id').notNull(),
})

/** Postings with the number of what they belong to, and with the order's product. */
export const selectPostings = (db: Db) =>
  db
    .select({
      id: posting.id,
      at: posting.at,
      type: posting.type,
      amount: posting.amount,
      available: posting.available,
      availableAfter: posting.availableAfter,
      held: posting.held,
      fund: posting.fund,
      refKind: posting.refKind,
      refId: posting.refId,
      no: sql<string | null>`coalesce(${orders.no}, ${deposit.no}, ${withdrawal.no})`,
      productId: orders.productId,
    })
    .from(posting)
    .leftJoin(orders, belongsTo('order', orders.id))
    .leftJoin(deposit, belongsTo('deposit', deposit.id))
    .leftJoin(withdrawal, belongsTo('withdrawal', withdrawal.id))

const belongsTo = (kind: string, id: AnyColumn): SQL | undefined =>
  and(eq(posting.refKind, kind), eq(posting.refId, id))

export type NumberedPosting = Awaited<ReturnType<typeof selectPostings>>[number]
