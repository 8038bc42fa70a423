import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../db/database.ts'

export type LedgerCheck = { postings: number; findings: string[] }

const accounts = sql.raw('available + held + stakes + fund + house + grants + external')
/** Of one kind of finding; a database in which everything is wrong needs no list of everything. */
const findingsMax = 20

/** What must hold for every row; each query returns the rows for which it does not. */
const rules: readonly SQL[] = [
  sql`SELECT 'the ledger sums to ' || sum(${accounts}) || ', not to 0' AS finding FROM posting
    HAVING coalesce(sum(${accounts}), 0) <> 0`,
  sql`SELECT 'posting ' || id || ' of member ' || member_id || ': its accounts do not sum to 0' AS finding
    FROM posting WHERE ${accounts} <> 0 ORDER BY member_id, id`,
  sql`SELECT 'posting ' || id || ' of member ' || member_id || ': its amount is not what it moved' AS finding
    FROM posting WHERE amount <> CASE type WHEN 'fund_earning' THEN fund ELSE available END ORDER BY member_id, id`,
  sql`SELECT 'posting ' || id || ' of member ' || member_id || ': it does not follow from the one before' AS finding
    FROM (SELECT *, row_number() OVER before AS n,
        lag(available_after, 1, 0) OVER before + available AS a, lag(held_after, 1, 0) OVER before + held AS h,
        lag(stakes_after, 1, 0) OVER before + stakes AS s, lag(fund_after, 1, 0) OVER before + fund AS f,
        lag(pnl_after, 1, 0) OVER before + pnl AS p
      FROM posting WINDOW before AS (PARTITION BY member_id ORDER BY id)) x
    WHERE n <> id OR (a, h, s, f, p) <> (available_after, held_after, stakes_after, fund_after, pnl_after)
    ORDER BY member_id, id`,
  sql`SELECT 'balance of member ' || b.member_id || ': it is not that of the newest posting' AS finding
    FROM balance b LEFT JOIN LATERAL (
      SELECT * FROM posting WHERE posting.member_id = b.member_id ORDER BY id DESC LIMIT 1) p ON true
    WHERE (b.available, b.held, b.stakes, b.fund, b.pnl, b.version) IS DISTINCT FROM
      (coalesce(p.available_after, 0), coalesce(p.held_after, 0), coalesce(p.stakes_after, 0),
       coalesce(p.fund_after, 0), coalesce(p.pnl_after, 0), coalesce(p.id, 0))
    ORDER BY b.member_id`,
  sql`SELECT 'order ' || o.no || ': its postings are not its stake and its payout' AS finding
    FROM orders o LEFT JOIN (
      SELECT ref_id, count(*) FILTER (WHERE type = 'stake') AS stakes, count(*) FILTER (WHERE type <> 'stake') AS results,
        coalesce(sum(available) FILTER (WHERE type = 'stake'), 0) AS staked,
        coalesce(sum(available) FILTER (WHERE type <> 'stake'), 0) AS paid
      FROM posting WHERE ref_kind = 'order' GROUP BY ref_id) p ON p.ref_id = o.id
    WHERE (p.stakes, p.results, p.staked, p.paid) IS DISTINCT FROM
      (1::bigint, CASE WHEN o.settled_at IS NULL THEN 0 ELSE 1 END::bigint, -o.amount::numeric, coalesce(o.payout, 0)::numeric)
    ORDER BY o.no`,
]

/** Checks that every posting is balanced, follows from the one before, and gives the member's balance. */
export async function checkLedger(db: Db): Promise<LedgerCheck> {
  const findings: string[] = []
  for (const rule of rules) {
    const { rows } = await db.execute<{ finding: string }>(sql`${rule} LIMIT ${findingsMax}`)
    findings.push(...rows.map(({ finding }) => finding))
  }
  const { rows } = await db.execute<{ count: number }>(sql`SELECT count(*)::int AS count FROM posting`)
  return { postings: rows[0]?.count ?? 0, findings }
}
