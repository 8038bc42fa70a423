import { and, eq, gte, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import { dayMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import { deposit, withdrawal } from '../schema.ts'
import type { MoneyConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

export type RequestLimitSettings = OperatorSettings<MoneyConfig, 'requestLimits'>

/**
 * What one member may put into a queue, so that the others' requests are reached. The checks run while the member's
 * balance is locked. They throw `TOO_MANY_OPEN` and `TOO_MANY_TODAY`.
 */
export function createRequestLimits({ operatorConfig: { requestLimits } }: RequestLimitSettings) {
  return {
    assertDeposit: async (tx: DbTransaction, memberId: string, now: number): Promise<void> => {
      const own = and(
        eq(deposit.memberId, memberId),
        // Those that are credited at once need no review.
        or(isNull(deposit.decidedBy), ne(deposit.decidedBy, 'practice')),
        or(depositWaits, gte(deposit.createdAt, now - dayMs)),
      )
      const counted = countedSince(depositWaits, sql`${deposit.createdAt}`, now)
      const [row] = await tx.select(counted).from(deposit).where(own)
      assertWithin(row, requestLimits.openDeposits, requestLimits.depositsPerDay)
    },
    assertWithdrawal: async (tx: DbTransaction, memberId: string, now: number): Promise<void> => {
      const own = and(
        eq(withdrawal.memberId, memberId),
        or(withdrawalWaits, gte(withdrawal.createdAt, now - dayMs)),
      )
      const counted = countedSince(withdrawalWaits, sql`${withdrawal.createdAt}`, now)
      const [row] = await tx.select(counted).from(withdrawal).where(own)
      assertWithin(row, requestLimits.openWithdrawals, requestLimits.withdrawalsPerDay)
    },
  }
}

/** For a decision, or, credited, for a second person's. */
const depositWaits = sql`(${deposit.status} = 'under_review' OR ${deposit.awaitsSecond})`
const withdrawalWaits = sql`${withdrawal.status} = 'under_review'`

const countedSince = (waits: SQL, createdAt: SQL, now: number) => ({
  open: sql<number>`count(*) FILTER (WHERE ${waits})::int`,
  today: sql<number>`count(*) FILTER (WHERE ${createdAt} >= ${now - dayMs}::bigint)::int`,
})

type Counted = { open: number; today: number }
function assertWithin(
  { open, today }: Counted = { open: 0, today: 0 },
  openMax: number,
  perDay: number,
): void {
  if (open >= openMax) throw new ApiError('TOO_MANY_OPEN', { params: { max: openMax } })
  if (today >= perDay) throw new ApiError('TOO_MANY_TODAY', { params: { max: perDay } })
}
