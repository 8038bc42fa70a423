import { eq } from 'drizzle-orm'
import { emptyFundAccount } from '../../../contract/fundAccount.ts'
import type { BusinessDay } from '../../../contract/time.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import { fundAccount, type FundAccountRow } from '../schema.ts'

/** Locks a member's fund account for the transaction, creating it if needed. Always lock it before the balance. */
export async function lockFundAccount(
  tx: DbTransaction,
  memberId: string,
  today: BusinessDay,
): Promise<FundAccountRow> {
  await tx
    .insert(fundAccount)
    .values({ memberId, ...emptyFundAccount(today) })
    .onConflictDoNothing()
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
