import { and, eq, sql } from 'drizzle-orm'
import type { AnyColumn, SQL } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { posting } from '../db/schema/ledger.ts'
import { orders } from '../db/schema/order.ts'
import { deposit, withdrawal } from '../db/schema/wallet.ts'

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
