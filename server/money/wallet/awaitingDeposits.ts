import { sql } from 'drizzle-orm'
import { minor, type Minor } from '../../../contract/units.ts'
import { formatMoney } from '../../../contract/money.ts'
import { withdrawableOf } from '../../../contract/withdrawable.ts'
import type { AwaitingDeposits } from '../../../contract/withdrawals.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { BalanceRow } from '../schema.ts'

/** The deposits of a member that are credited and wait for a second person; null if none does. */
export async function readAwaiting(
  db: Db | DbTransaction,
  memberId: string,
): Promise<AwaitingDeposits | null> {
  const { rows } = await db.execute<{ amount: number; lowestPnl: number }>(
    sql`SELECT amount, lowest_pnl AS "lowestPnl" FROM awaiting_since(${memberId})`,
  )
  const [row] = rows
  return row ? { amount: formatMoney(minor(row.amount)), lowestPnl: formatMoney(minor(row.lowestPnl)) } : null
}

/**
 * Of a withdrawal or a transfer to the fund that the balance, which is locked, has enough for. The database checks it too.
 * @throws ApiError `AWAITS_SECOND_PERSON`
 */
export async function assertWithdrawable(
  tx: DbTransaction,
  { memberId, available, pnl }: Pick<BalanceRow, 'memberId' | 'available' | 'pnl'>,
  amount: Minor,
): Promise<void> {
  const assets = { available: formatMoney(minor(available)), accountPnl: formatMoney(minor(pnl)) }
  const withdrawable = withdrawableOf(assets, await readAwaiting(tx, memberId))
  if (amount <= available && amount > withdrawable)
    throw new ApiError('AWAITS_SECOND_PERSON', { params: { withdrawable: formatMoney(withdrawable) } })
}
