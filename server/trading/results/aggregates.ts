import { sql, type SQL } from 'drizzle-orm'
import { epochMs, minor } from '../../../contract/units.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { Direction } from '../../../contract/orders.ts'
import {
  curvePointsMax,
  sharesOf,
  type CurvePoint,
  type OwnResults,
  type ResultDays,
  type ResultGroup,
} from '../../../contract/results.ts'
import { addMonths, startOfDay } from '../../../contract/time.ts'
import type { Db } from '../../platform/db/database.ts'

/** Sums of settled orders, minor units. `decidedStake` is that of the won and lost ones, `stakeTimesRate` in basis points. */
type SumsRow = {
  orders: number
  won: number
  lost: number
  tied: number
  refunded: number
  stake: number
  pnl: number
  decidedStake: number
  stakeTimesRate: string
}
type GroupRow = SumsRow & {
  grouping: number
  productId: string | null
  seconds: number | null
  direction: Direction | null
  month: string | null
}

const sums: SQL = sql`count(*)::integer AS orders,
  (count(*) FILTER (WHERE status = 'won'))::integer AS won,
  (count(*) FILTER (WHERE status = 'lost'))::integer AS lost,
  (count(*) FILTER (WHERE status = 'tied'))::integer AS tied,
  (count(*) FILTER (WHERE status = 'refunded'))::integer AS refunded,
  coalesce(sum(amount), 0)::bigint AS stake,
  coalesce(sum(payout - amount), 0)::bigint AS pnl,
  coalesce(sum(amount) FILTER (WHERE status IN ('won', 'lost')), 0)::bigint AS "decidedStake",
  coalesce(sum(amount::numeric * rate_bp) FILTER (WHERE status IN ('won', 'lost')), 0)::text AS "stakeTimesRate"`

/** An instant of the settlement on the clocks of a zone, as text. */
const settledOn = (zone: string, format: string): SQL =>
  sql`to_char(to_timestamp(settled_at / 1000.0) AT TIME ZONE ${zone}, ${format})`

/** What `GROUPING` says of each grouping of {@link readResults}: a bit per column that it does not group by. */
const groupings = { total: 0b1111, product: 0b0111, duration: 0b1011, direction: 0b1101, month: 0b1110 }

/** Two instants, both inclusive; left out if the period is open at that end. */
type Period = { from?: number | undefined; to?: number | undefined }

/** A member's settled orders of a period. */
const settledOrders = (memberId: string, { from, to }: Period): SQL =>
  sql`member_id = ${memberId} AND settled_at IS NOT NULL
    AND settled_at >= ${from ?? 0}::bigint AND settled_at <= ${to ?? Number.MAX_SAFE_INTEGER}::bigint`

/** A member's results, settled within a period. */
export async function readResults(
  db: Db,
  memberId: string,
  period: Period,
  zone: string,
): Promise<OwnResults> {
  const { rows } = await db.execute<GroupRow & Record<string, unknown>>(sql`
    SELECT GROUPING(product_id, seconds, direction, month) AS grouping, product_id AS "productId", seconds, direction,
      month, ${sums}
    FROM (SELECT *, ${settledOn(zone, 'YYYY-MM')} AS month FROM orders
      WHERE ${settledOrders(memberId, period)}) AS settled
    GROUP BY GROUPING SETS ((), (product_id), (seconds), (direction), (month))`)
  const of = (kind: keyof typeof groupings): GroupRow[] =>
    rows.filter(({ grouping }) => grouping === groupings[kind])
  const [total] = of('total')
  return {
    total: toGroup(total ?? noOrders),
    curve: await readCurve(db, memberId, period),
    byProduct: of('product')
      .sort((a, b) => b.orders - a.orders || ((a.productId ?? '') < (b.productId ?? '') ? -1 : 1))
      .map((row) => ({ productId: row.productId ?? '', ...toGroup(row) })),
    byDuration: of('duration')
      .map((row) => ({ seconds: row.seconds ?? 0, ...toGroup(row) }))
      .sort((a, b) => a.seconds - b.seconds),
    byDirection: of('direction')
      .map((row) => ({ direction: row.direction ?? 'up', ...toGroup(row) }))
      .sort((a, b) => (a.direction < b.direction ? 1 : -1)),
    byMonth: of('month')
      .map((row) => ({ month: row.month ?? '', ...toGroup(row) }))
      .sort((a, b) => (a.month < b.month ? 1 : -1)),
  }
}

/** The P&L as it grew from order to order: every nth of them from the end, so that the last one is always a point. */
async function readCurve(db: Db, memberId: string, period: Period): Promise<CurvePoint[]> {
  const { rows } = await db.execute<
    { orders: number; at: number; pnl: number } & Record<string, unknown>
  >(sql`
    SELECT n::integer AS orders, at, pnl::bigint AS pnl
    FROM (SELECT settled_at AS at, sum(payout - amount) OVER settlement AS pnl, row_number() OVER settlement AS n,
        count(*) OVER () AS count
      FROM orders WHERE ${settledOrders(memberId, period)}
      WINDOW settlement AS (ORDER BY settled_at, id)) AS running
    WHERE (count - n) % ceil(count / ${curvePointsMax}::numeric)::bigint = 0
    ORDER BY n`)
  return rows.map(({ orders, at, pnl }) => ({ orders, at: epochMs(at), pnl: formatMoney(minor(pnl)) }))
}

/** A member's results of a month by day; month and days are those of the zone. */
export async function readResultDays(
  db: Db,
  memberId: string,
  month: string,
  zone: string,
): Promise<ResultDays> {
  const from = startOfDay(`${month}-01`, zone)
  const end = startOfDay(`${addMonths(month, 1)}-01`, zone)
  const days = await db.execute<SumsRow & { on: string } & Record<string, unknown>>(sql`
    SELECT ${settledOn(zone, 'YYYY-MM-DD')} AS "on", ${sums} FROM orders
    WHERE member_id = ${memberId} AND settled_at IS NOT NULL AND settled_at >= ${from}::bigint
      AND settled_at < ${end}::bigint
    GROUP BY 1 ORDER BY 1`)
  const first = await db.execute<{ month: string | null }>(sql`
    SELECT to_char(to_timestamp(min(settled_at) / 1000.0) AT TIME ZONE ${zone}, 'YYYY-MM') AS month
    FROM orders WHERE member_id = ${memberId} AND settled_at IS NOT NULL`)
  return {
    month,
    firstMonth: first.rows[0]?.month ?? null,
    days: days.rows.map((row) => ({ on: row.on, ...toTotals(row) })),
  }
}

const noOrders: SumsRow = {
  orders: 0,
  won: 0,
  lost: 0,
  tied: 0,
  refunded: 0,
  stake: 0,
  pnl: 0,
  decidedStake: 0,
  stakeTimesRate: '0',
}

const toTotals = ({ orders, won, lost, tied, refunded, stake, pnl }: SumsRow) => ({
  orders,
  won,
  lost,
  tied,
  refunded,
  stake: formatMoney(minor(stake)),
  pnl: formatMoney(minor(pnl)),
})

const toGroup = (row: SumsRow): ResultGroup => ({
  ...toTotals(row),
  shares: sharesOf(row, row.decidedStake, Number(row.stakeTimesRate)),
})
