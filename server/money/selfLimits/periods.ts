import { and, eq, gte, ne, sql } from 'drizzle-orm'
import type { SelfLimitField } from '../../../contract/selfLimits.ts'
import { monthOf, weekOf, type BusinessDay } from '../../../contract/time.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import { type BalanceRow, deposit } from '../schema.ts'

/** A limit over a period, and what counts towards it, minor units. */
export type PeriodSum = readonly [field: SelfLimitField, sum: number]

/** The results of the business day, week and month so far, for the limits on losses. */
export function pnlOfPeriods(balance: BalanceRow | undefined, today: BusinessDay): PeriodSum[] {
  return [
    ['maxDailyLoss', balance?.todayOn === today ? balance.todayPnl : 0],
    ['maxWeeklyLoss', balance?.weekOn === weekOf(today) ? balance.weekPnl : 0],
    ['maxMonthlyLoss', balance?.monthOn === monthOf(today) ? balance.monthPnl : 0],
  ]
}

/** The deposits of the business day, week and month so far; those that failed do not count. */
export async function depositsOfPeriods(
  tx: DbTransaction,
  memberId: string,
  today: BusinessDay,
): Promise<PeriodSum[]> {
  const [week, month] = [weekOf(today), `${monthOf(today)}-01`]
  const since = (day: BusinessDay) =>
    sql<number>`coalesce(sum(${deposit.amount}) FILTER (WHERE ${deposit.createdOn} >= ${day}), 0)::bigint`.mapWith(
      Number,
    )
  const counted = and(
    eq(deposit.memberId, memberId),
    gte(deposit.createdOn, week < month ? week : month),
    ne(deposit.status, 'failed'),
  )
  const [row] = await tx
    .select({ day: since(today), week: since(week), month: since(month) })
    .from(deposit)
    .where(counted)
  return [
    ['maxDailyDeposit', row?.day ?? 0],
    ['maxWeeklyDeposit', row?.week ?? 0],
    ['maxMonthlyDeposit', row?.month ?? 0],
  ]
}
