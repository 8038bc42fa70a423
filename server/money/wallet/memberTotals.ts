import { sql } from 'drizzle-orm'
import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import { formatMoney } from '../../../contract/money.ts'
import { dayMs } from '../../../contract/time.ts'
import { minor } from '../../../contract/units.ts'
import type { Db } from '../../platform/db/database.ts'
import { withdrawalState } from './withdrawalState.ts'

type Sum = MemberFacts['deposited']
type SumRow = { count: number; amount: number }
type Totals = Pick<MemberFacts, 'deposited' | 'awaiting' | 'withdrawn' | 'owed' | 'lastPaidAt' | 'boundAt'>
type Recent = MemberFacts['recent'][number]

const recentMax = 6

const toSum = ({ count, amount }: SumRow): Sum => ({ count, amount: formatMoney(minor(amount)) })

/** What a member has deposited, was paid and waits for, and when the last payment and the present account are from. */
export async function readMemberTotals(db: Db, memberId: string): Promise<Totals> {
  const { rows } = await db.execute<{ what: 'deposited' | 'awaiting' | 'withdrawn' | 'owed' } & SumRow>(sql`
    SELECT what, count(*)::int AS count, sum(amount)::float8 AS amount FROM (
      SELECT CASE WHEN awaits_second THEN 'awaiting' ELSE 'deposited' END AS what, amount FROM deposit
      WHERE member_id = ${memberId} AND status = 'successful'
      UNION ALL
      SELECT CASE status WHEN 'successful' THEN 'withdrawn' ELSE 'owed' END, amount FROM withdrawal
      WHERE member_id = ${memberId} AND status <> 'failed'
    ) one GROUP BY what`)
  const sumOf = (what: string): Sum => toSum(rows.find((row) => row.what === what) ?? { count: 0, amount: 0 })
  const dates = await db.execute<{ paid: number | null; bound: number | null }>(sql`SELECT
    (SELECT max(decided_at)::float8 FROM withdrawal WHERE member_id = ${memberId} AND status = 'successful') AS paid,
    (SELECT bound_at::float8 FROM withdrawal_account WHERE member_id = ${memberId} AND unbound_at IS NULL) AS bound`)
  const { paid = null, bound = null } = dates.rows[0] ?? {}
  const sums = {
    deposited: sumOf('deposited'),
    awaiting: sumOf('awaiting'),
    withdrawn: sumOf('withdrawn'),
    owed: sumOf('owed'),
  }
  return { ...sums, lastPaidAt: paid, boundAt: bound }
}

/** The newest deposits and withdrawals of a member. */
export async function readRecentRequests(db: Db, memberId: string): Promise<Recent[]> {
  type Row = Omit<Recent, 'amount' | 'createdAt'> & { amount: number; created_at: number }
  const { rows } = await db.execute<Row>(sql`
    SELECT kind, id, no, amount::float8 AS amount, status, created_at::float8 AS created_at FROM (
      SELECT 'deposit' AS kind, id, no, amount, status, created_at FROM deposit WHERE member_id = ${memberId}
      UNION ALL
      SELECT 'withdrawal', id, no, amount, ${withdrawalState(sql`withdrawal`)}, created_at FROM withdrawal WHERE member_id = ${memberId}
    ) one ORDER BY one.created_at DESC, id DESC LIMIT ${recentMax}`)
  return rows.map(({ amount, created_at: createdAt, ...row }) => {
    return { ...row, amount: formatMoney(minor(amount)), createdAt }
  })
}

type Request = { memberId: string; createdAt: number }

/** What a member asked for within a day of a request, before or after it, with it and without what was refused. */
export async function readSumInDay(
  db: Db,
  table: 'deposit' | 'withdrawal',
  { memberId, createdAt }: Request,
): Promise<Sum> {
  const { rows } = await db.execute<SumRow>(sql`
    SELECT count(*)::int AS count, coalesce(sum(amount), 0)::float8 AS amount FROM ${sql.identifier(table)}
    WHERE member_id = ${memberId} AND status <> 'failed'
      AND created_at BETWEEN ${createdAt - dayMs}::bigint AND ${createdAt + dayMs}::bigint`)
  return toSum(rows[0] ?? { count: 0, amount: 0 })
}
