import { sql, type SQL } from 'drizzle-orm'
import type { LedgerType } from '../../../contract/ledger.ts'
import type { LedgerAccount } from '../../../contract/movements.ts'
import { monthOf, weekOf, type BusinessDay } from '../../../contract/time.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { BalanceRow } from '../schema.ts'

/** One balanced transaction to be posted, in minor units. Accounts that are not named do not change. */
export type LedgerTransaction = {
  memberId: string
  type: LedgerType
  /** The change of each account; Σ = 0, or the database rejects it. */
  legs: Partial<Record<LedgerAccount, number>>
  /** The amount in the capital record, if it is not the change of `available`. */
  amount?: number
  /** What it adds to the member's P&L: an order's result, a fund earning. */
  pnl?: number
  /** What it belongs to; defaults to the member. */
  ref?: PostingRef
}

/** What a posting belongs to, as in the capital record; `no` is its number, if members see one. */
export type PostingRef = { kind: string; id: string; no?: string | undefined }

export const toPostingRef = (transaction: LedgerTransaction): PostingRef =>
  transaction.ref ?? { kind: 'member', id: transaction.memberId }

/** The columns of `balance` with the names of {@link BalanceRow}. */
export const balanceColumns: SQL = sql.raw(
  'b.member_id AS "memberId", b.available, b.held, b.stakes, b.fund, b.pnl, ' +
    'b.today_pnl AS "todayPnl", b.today_on AS "todayOn", b.week_pnl AS "weekPnl", b.week_on AS "weekOn", ' +
    'b.month_pnl AS "monthPnl", b.month_on AS "monthOn", b.version',
)

/**
 * Posts one transaction: balance and posting in one statement, so that neither is ever visible without the other.
 * The update locks the member's row first, so a member's ids ascend in the order of their commits.
 * @returns the balance after it, or null if an account of the member would fall below zero
 */
export async function postTransaction(
  tx: Db | DbTransaction,
  transaction: LedgerTransaction,
  at: number,
  day: BusinessDay,
): Promise<BalanceRow | null> {
  const {
    available = 0,
    held = 0,
    stakes = 0,
    fund = 0,
    house = 0,
    grants = 0,
    external = 0,
  } = transaction.legs
  const { amount = available, pnl = 0 } = transaction
  const ref = toPostingRef(transaction)
  const [week, month] = [weekOf(day), monthOf(day)]
  const { rows } = await tx.execute<BalanceRow & Record<string, unknown>>(sql`
    WITH b AS (
      UPDATE balance SET
        available = available + ${available}, held = held + ${held}, stakes = stakes + ${stakes},
        fund = fund + ${fund}, pnl = pnl + ${pnl},
        today_pnl = CASE WHEN today_on = ${day} THEN today_pnl ELSE 0 END + ${pnl}, today_on = ${day},
        week_pnl = CASE WHEN week_on = ${week} THEN week_pnl ELSE 0 END + ${pnl}, week_on = ${week},
        month_pnl = CASE WHEN month_on = ${month} THEN month_pnl ELSE 0 END + ${pnl}, month_on = ${month},
        version = version + 1
      WHERE member_id = ${transaction.memberId} AND available + ${available} >= 0 AND held + ${held} >= 0
        AND stakes + ${stakes} >= 0 AND fund + ${fund} >= 0
      RETURNING *
    ), posted AS (
      INSERT INTO posting (member_id, id, at, type, amount, available, held, stakes, fund, house, grants, external,
        pnl, available_after, held_after, stakes_after, fund_after, pnl_after, ref_kind, ref_id)
      SELECT b.member_id, b.version, ${at}::bigint, ${transaction.type}, ${amount}::bigint, ${available}::bigint,
        ${held}::bigint, ${stakes}::bigint, ${fund}::bigint, ${house}::bigint, ${grants}::bigint,
        ${external}::bigint, ${pnl}::bigint, b.available, b.held, b.stakes, b.fund, b.pnl,
        ${ref.kind}::text, ${ref.id}::text
      FROM b
    )
    SELECT ${balanceColumns} FROM b`)
  return rows[0] ?? null
}
