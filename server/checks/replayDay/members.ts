import { asc, eq, inArray } from 'drizzle-orm'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import {
  balance,
  deposit,
  fundAccount,
  fundEarning,
  fundLot,
  fundRecord,
  hold,
  holdResolution,
  posting,
  withdrawal,
} from '../../money/index.ts'
import { orders } from '../../trading/index.ts'
import { groupBy } from './replay.ts'

const { id, no, memberId, amount, payout, status, acceptedAt, settledAt } = orders
const orderColumns = { id, no, memberId, amount, payout, status, acceptedAt, settledAt }

/** What the venue stored of some members: the commands that it accepted, and the rows that must follow from them. */
export async function readMembers(db: Db | DbTransaction, ids: readonly string[]): Promise<MemberRows[]> {
  const of = [...ids]
  const balances = await db
    .select()
    .from(balance)
    .where(inArray(balance.memberId, of))
    .orderBy(asc(balance.memberId))
  const postings = byMember(
    await db.select().from(posting).where(inArray(posting.memberId, of)).orderBy(asc(posting.id)),
  )
  const orderRows = byMember(await db.select(orderColumns).from(orders).where(inArray(memberId, of)))
  const deposits = byMember(await db.select().from(deposit).where(inArray(deposit.memberId, of)))
  const withdrawals = byMember(await db.select().from(withdrawal).where(inArray(withdrawal.memberId, of)))
  const { outcome } = holdResolution
  const holds = byMember(
    await db
      .select({ ...holdColumns, outcome })
      .from(hold)
      .leftJoin(holdResolution, eq(holdResolution.holdId, hold.id))
      .where(inArray(hold.memberId, of)),
  )
  const accounts = byMember(await db.select().from(fundAccount).where(inArray(fundAccount.memberId, of)))
  const lots = byMember(
    await db.select().from(fundLot).where(inArray(fundLot.memberId, of)).orderBy(asc(fundLot.no)),
  )
  const records = byMember(
    await db.select().from(fundRecord).where(inArray(fundRecord.memberId, of)).orderBy(asc(fundRecord.no)),
  )
  const earnings = byMember(
    await db
      .select()
      .from(fundEarning)
      .where(inArray(fundEarning.memberId, of))
      .orderBy(asc(fundEarning.onDay)),
  )
  return balances.map((row) => ({
    balance: row,
    postings: postings.get(row.memberId) ?? [],
    orders: orderRows.get(row.memberId) ?? [],
    deposits: deposits.get(row.memberId) ?? [],
    withdrawals: withdrawals.get(row.memberId) ?? [],
    holds: holds.get(row.memberId) ?? [],
    fundAccount: accounts.get(row.memberId)?.[0] ?? null,
    lots: lots.get(row.memberId) ?? [],
    records: records.get(row.memberId) ?? [],
    earnings: earnings.get(row.memberId) ?? [],
  }))
}

const holdColumns = {
  id: hold.id,
  memberId: hold.memberId,
  source: hold.source,
  amount: hold.amount,
  refKind: hold.refKind,
  refId: hold.refId,
}

const byMember = <T extends { memberId: string }>(rows: readonly T[]): Map<string, T[]> =>
  groupBy(rows, (row) => row.memberId)

export type MemberRows = {
  balance: typeof balance.$inferSelect
  /** By id. */
  postings: (typeof posting.$inferSelect)[]
  orders: Pick<typeof orders.$inferSelect, keyof typeof orderColumns>[]
  deposits: (typeof deposit.$inferSelect)[]
  withdrawals: (typeof withdrawal.$inferSelect)[]
  /** With the outcome of those that ended. */
  holds: (Pick<typeof hold.$inferSelect, keyof typeof holdColumns> & {
    outcome: 'posted' | 'voided' | null
  })[]
  fundAccount: typeof fundAccount.$inferSelect | null
  /** In the order in which they were made, as the records. */
  lots: (typeof fundLot.$inferSelect)[]
  records: (typeof fundRecord.$inferSelect)[]
  /** By day. */
  earnings: (typeof fundEarning.$inferSelect)[]
}
