import { and, eq, lte, sql } from 'drizzle-orm'
import type { BusinessDay } from '../../../contract/time.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import { fundLot } from '../schema.ts'

/** The one lot for all earnings of a member. It counts as the newest, so it is consumed last. */
const earningsId = (memberId: string): string => `e-${memberId}`

/** Takes a confirmed amount out of the lots, oldest first. Throws if the lots do not contain that much. */
export async function consumeLots(tx: DbTransaction, memberId: string, amount: number): Promise<void> {
  const { rows } = await tx.execute<{ taken: number }>(sql`
    WITH line AS (
      SELECT id, remaining,
        (sum(remaining) OVER (ORDER BY (kind = 'earnings'), no) - remaining)::bigint AS before
      FROM fund_lot
      WHERE member_id = ${memberId} AND status = 'confirmed' AND remaining > 0
    ), share AS (
      SELECT id, least(remaining, ${amount}::bigint - before) AS taken FROM line WHERE before < ${amount}::bigint
    ), spent AS (
      UPDATE fund_lot SET remaining = remaining - share.taken FROM share WHERE fund_lot.id = share.id
      RETURNING share.taken
    )
    SELECT coalesce(sum(taken), 0)::bigint AS taken FROM spent`)
  if (rows[0]?.taken !== amount) throw new Error('The lots do not add up to the confirmed amount.')
}

/** Confirms the lots that are due at the start of `day`; returns their ids and their sum. */
export async function confirmLots(
  tx: DbTransaction,
  memberId: string,
  day: BusinessDay,
): Promise<{ ids: string[]; amount: number }> {
  const due = await tx
    .update(fundLot)
    .set({ status: 'confirmed' })
    .where(
      and(eq(fundLot.memberId, memberId), eq(fundLot.status, 'pending_review'), lte(fundLot.confirmOn, day)),
    )
    .returning({ id: fundLot.id, amount: fundLot.amount })
  return { ids: due.map(({ id }) => id), amount: due.reduce((sum, lot) => sum + lot.amount, 0) }
}

/** Adds a day's earnings to the earnings lot; they earn from `day` on. */
export async function addEarnings(
  tx: DbTransaction,
  memberId: string,
  amount: number,
  at: number,
  day: BusinessDay,
): Promise<void> {
  const lot = {
    id: earningsId(memberId),
    memberId,
    amount,
    remaining: amount,
    kind: 'earnings',
    status: 'confirmed',
    depositedAt: at,
    confirmOn: day,
    madeOn: day,
  } as const
  await tx
    .insert(fundLot)
    .values(lot)
    .onConflictDoUpdate({
      target: fundLot.id,
      set: {
        amount: sql`${fundLot.amount} + ${amount}`,
        remaining: sql`${fundLot.remaining} + ${amount}`,
        depositedAt: at,
        confirmOn: day,
        madeOn: day,
      },
    })
}
