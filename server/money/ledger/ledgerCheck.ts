import { sql, type SQL } from 'drizzle-orm'
import { ledgerTypes } from '../../../contract/ledger.ts'
import { ledgerAccounts, recordedAccount } from '../../../contract/movements.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { causeRules, type MemberRange, type Rule } from './causes.ts'

export type LedgerCheck = { postings: number; findings: string[] }

const accounts = sql.raw(ledgerAccounts.join(' + '))
const recorded = sql.raw(ledgerTypes.map((type) => `WHEN '${type}' THEN ${recordedAccount(type)}`).join(' '))
/** Of one kind of finding; a database in which everything is wrong needs no list of everything. */
const findingsMax = 20
/** Members whose rows one statement reads. */
const membersPerRead = 500

/** What must hold for the rows of some members; each query returns the rows for which it does not. */
const rules: readonly Rule[] = [
  (
    own,
  ) => sql`SELECT 'posting ' || id || ' of member ' || member_id || ': its accounts do not sum to 0' AS finding
    FROM posting WHERE ${own('member_id')} AND ${accounts} <> 0 ORDER BY member_id, id`,
  (
    own,
  ) => sql`SELECT 'posting ' || id || ' of member ' || member_id || ': its amount is not what it moved' AS finding
    FROM posting WHERE ${own('member_id')} AND amount <> CASE type ${recorded} END
    ORDER BY member_id, id`,
  (
    own,
  ) => sql`SELECT 'posting ' || id || ' of member ' || member_id || ': it does not follow from the one before' AS finding
    FROM (SELECT *, row_number() OVER before AS n,
        lag(available_after, 1, 0) OVER before + available AS a, lag(held_after, 1, 0) OVER before + held AS h,
        lag(stakes_after, 1, 0) OVER before + stakes AS s, lag(fund_after, 1, 0) OVER before + fund AS f,
        lag(pnl_after, 1, 0) OVER before + pnl AS p
      FROM posting WHERE ${own('member_id')} WINDOW before AS (PARTITION BY member_id ORDER BY id)) x
    WHERE n <> id OR (a, h, s, f, p) <> (available_after, held_after, stakes_after, fund_after, pnl_after)
    ORDER BY member_id, id`,
  (
    own,
  ) => sql`SELECT 'balance of member ' || b.member_id || ': it is not that of the newest posting' AS finding
    FROM balance b LEFT JOIN LATERAL (
      SELECT * FROM posting WHERE posting.member_id = b.member_id ORDER BY id DESC LIMIT 1) p ON true
    WHERE ${own('b.member_id')} AND (b.available, b.held, b.stakes, b.fund, b.pnl, b.version) IS DISTINCT FROM
      (coalesce(p.available_after, 0), coalesce(p.held_after, 0), coalesce(p.stakes_after, 0),
       coalesce(p.fund_after, 0), coalesce(p.pnl_after, 0), coalesce(p.id, 0))
    ORDER BY b.member_id`,
  ...causeRules,
]

/**
 * Checks that every posting is balanced, follows from the one before, gives the member's balance and has its cause, and
 * that every cause has its postings. Each statement reads some members, so that none takes long; what is committed
 * meanwhile is read whole or not at all.
 * @param pause waited for after each group of members
 */
export async function checkLedger(
  db: Db | DbTransaction,
  pause: () => Promise<unknown> = async () => undefined,
): Promise<LedgerCheck> {
  const check: LedgerCheck = { postings: 0, findings: [] }
  const found = new Map<Rule, number>()
  let sum = 0n
  let after: string | null = null
  for (;;) {
    const last: string | null = await lastOfPage(db, after)
    const own = rangeOf(after, last)
    for (const rule of rules) {
      const left = findingsMax - (found.get(rule) ?? 0)
      if (left <= 0) continue
      const { rows } = await db.execute<{ finding: string }>(sql`${rule(own)} LIMIT ${left}`)
      found.set(rule, (found.get(rule) ?? 0) + rows.length)
      check.findings.push(...rows.map(({ finding }) => finding))
    }
    const { rows } = await db.execute<{ count: number; sum: string }>(sql`
      SELECT count(*)::int AS count, coalesce(sum(${accounts}), 0)::text AS sum FROM posting
      WHERE ${own('member_id')}`)
    check.postings += rows[0]?.count ?? 0
    sum += BigInt(rows[0]?.sum ?? '0')
    if (last === null) break
    after = last
    await pause()
  }
  if (sum !== 0n) check.findings.push(`the ledger sums to ${sum}, not to 0`)
  return check
}

/** The last of the next members; null if those that are left fit into one page, which then has no end. */
async function lastOfPage(db: Db | DbTransaction, after: string | null): Promise<string | null> {
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT member_id AS id FROM balance WHERE ${rangeOf(after, null)('member_id')}
    ORDER BY member_id OFFSET ${membersPerRead} LIMIT 1`)
  return rows[0]?.id ?? null
}

/** Members after one, up to and with another; without an end, all that are left. */
function rangeOf(after: string | null, last: string | null): MemberRange {
  return (column) => {
    const name = sql.raw(column)
    const conditions: SQL[] = []
    if (after !== null) conditions.push(sql`${name} > ${after}`)
    if (last !== null) conditions.push(sql`${name} <= ${last}`)
    return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `)
  }
}
