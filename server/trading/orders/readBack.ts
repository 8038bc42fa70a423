import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { balance, posting } from '../../money/index.ts'
import { orders, type OrderRow } from '../schema.ts'
import type { LedgerChanges } from './settleStatement.ts'

/** The orders among `ids` that have their entry stored and are not settled. */
export async function readOpenOrders(db: Db, ids: readonly string[]): Promise<OrderRow[]> {
  if (ids.length === 0) return []
  return db
    .select()
    .from(orders)
    .where(and(inArray(orders.id, [...ids]), eq(orders.status, 'open')))
}

/** The settled orders among `ids`, their postings, and their members' current balances. */
export async function readSettledOrders(
  db: Db,
  ids: readonly string[],
): Promise<{ rows: OrderRow[]; ledgerChanges: LedgerChanges }> {
  const rows =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(orders)
          .where(and(inArray(orders.id, [...ids]), isNotNull(orders.settledAt)))
  if (rows.length === 0) return { rows, ledgerChanges: { postings: [], balances: [] } }
  const memberIds = [...new Set(rows.map((row) => row.memberId))]
  const postings = await db
    .select()
    .from(posting)
    .where(
      and(
        inArray(posting.memberId, memberIds),
        inArray(posting.type, ['payout', 'refund']),
        eq(posting.refKind, 'order'),
        inArray(
          posting.refId,
          rows.map((row) => row.id),
        ),
      ),
    )
    .orderBy(posting.memberId, posting.id)
  const balances = await db.select().from(balance).where(inArray(balance.memberId, memberIds))
  return { rows, ledgerChanges: { postings, balances } }
}
