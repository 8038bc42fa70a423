import { eq } from 'drizzle-orm'
import type { BusinessDay } from '../../contract/time.ts'
import type { DbTransaction } from '../db/database.ts'
import { fundAccount } from '../db/schema/fund.ts'
import type { FundAccountRow } from '../db/schema/fund.ts'

/** A member's fund account before the first deposit. */
export function emptyFundAccount(memberId: string, today: BusinessDay): FundAccountRow {
  return {
    memberId,
    begunOn: today,
    usedOn: '',
    version: 0,
    confirmed: 0,
    pending: 0,
    owed: 0,
    carried: 0,
    totalEarned: 0,
    depositsUsed: 0,
    withdrawalsUsed: 0,
    fastUsed: 0,
  }
}

/** Locks a member's fund account for the transaction, creating it if needed. Always lock it before the balance. */
export async function lockFundAccount(
  tx: DbTransaction,
  memberId: string,
  today: BusinessDay,
): Promise<FundAccountRow> {
  await tx.insert(fundAccount).values(emptyFundAccount(memberId, today)).onConflictDoNothing()
  const [row] = await tx.select().from(fundAccount).where(eq(fundAccount.memberId, memberId)).for('update')
  if (!row) throw new Error('The fund account does not exist.')
  return row
}

/** Saves a locked account as its next version. */
export async function saveFundAccount(tx: DbTransaction, row: FundAccountRow): Promise<FundAccountRow> {
  const saved = { ...row, version: row.version + 1 }
  await tx.update(fundAccount).set(saved).where(eq(fundAccount.memberId, row.memberId))
  return saved
}

/** How much of the daily limits is used; usage of an earlier day no longer counts. */
export type DailyUsage = Pick<FundAccountRow, 'depositsUsed' | 'withdrawalsUsed' | 'fastUsed'>

export function dailyUsageOn(row: FundAccountRow, day: BusinessDay): DailyUsage {
  if (row.usedOn !== day) return { depositsUsed: 0, withdrawalsUsed: 0, fastUsed: 0 }
  const { depositsUsed, withdrawalsUsed, fastUsed } = row
  return { depositsUsed, withdrawalsUsed, fastUsed }
}
