import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { movementOf, movementsMade } from '../../../../contract/movements.ts'
import { checkLedger } from '../../../../server/money/ledger/ledgerCheck.ts'
import { posting } from '../../../../server/money/schema.ts'
import { orders } from '../../../../server/trading/schema.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { openBusyDay } from '../../../support/busyDay.ts'

let busy: Awaited<ReturnType<typeof openBusyDay>>
const database = await withDatabase()
beforeAll(async () => {
  busy = await openBusyDay(database)
})
afterAll(async () => {
  await busy.venue.close()
})

/** What the check finds after a statement that nobody can execute over the venue. */
async function findingsAfter(table: string, statement: string): Promise<string[]> {
  let findings: string[] = []
  const rolledBack = new Error('rolled back')
  const altering = database.db.transaction(async (tx) => {
    await tx.execute(sql.raw(`ALTER TABLE ${table} DISABLE TRIGGER USER`))
    expect((await tx.execute(sql.raw(statement))).rowCount).toBe(1)
    findings = (await checkLedger(tx)).findings
    throw rolledBack
  })
  await expect(altering).rejects.toBe(rolledBack)
  return findings
}

const change = (table: string, set: string, where: string): [string, string] => [
  table,
  `UPDATE ${table} SET ${set} WHERE ctid = (SELECT ctid FROM ${table} WHERE ${where} ORDER BY ctid LIMIT 1)`,
]
const moved = (kind: string) => new RegExp(`^${kind} \\S+ of member .*: its postings are not what it moves$`)
const undecided = "status = 'under_review', reason = NULL, decided_at = NULL, decided_by = NULL"

describe('the statements that place and settle orders', () => {
  it('post what the table of movements says', async () => {
    const rows = await database.db.select().from(orders)
    expect(new Set(rows.map(({ status }) => status)).size).toBeGreaterThan(1)
    for (const order of rows) {
      const postings = await database.db
        .select()
        .from(posting)
        .where(and(eq(posting.refKind, 'order'), eq(posting.refId, order.id)))
        .orderBy(posting.id)
      const moved = movementsMade('order', order).map((kind) =>
        movementOf(kind, order.amount, order.payout ?? 0),
      )
      expect(postings).toMatchObject(moved.map(({ legs, ...rest }) => ({ ...legs, ...rest })))
    }
  })
})

describe('the check of the ledger', () => {
  it('finds nothing after a day with everything that moves money', async () => {
    const { postings, findings } = await checkLedger(database.db)
    expect(findings).toEqual([])
    const { rows } = await database.db.execute(sql`SELECT DISTINCT type FROM posting ORDER BY type`)
    expect(postings).toBeGreaterThan(15)
    expect(rows).toHaveLength(12)
  })

  it.each<[string, [string, string], RegExp]>([
    [
      'a stake that is not the order’s',
      change('posting', 'available = available + 5, house = house - 5', "type = 'stake'"),
      moved('order'),
    ],
    [
      'a stake that went to the house',
      change('posting', 'stakes = stakes - 5, house = house + 5', "type = 'stake'"),
      moved('order'),
    ],
    [
      'a payout that is not the order’s',
      change(
        'posting',
        'available = available + 5, house = house - 5, amount = amount + 5',
        "type = 'payout'",
      ),
      moved('order'),
    ],
    [
      'a stake that is not there',
      ['posting', "DELETE FROM posting WHERE type = 'stake' AND ref_id = (SELECT max(id) FROM orders)"],
      moved('order'),
    ],
    [
      'a deposit that is more than what was posted',
      change('deposit', 'amount = amount + 1', 'true'),
      moved('deposit'),
    ],
    [
      'a reversal of another amount',
      change('deposit', 'reversed = reversed - 1', 'reversed IS NOT NULL'),
      moved('deposit'),
    ],
    [
      'a deposit that is posted and under review',
      change('deposit', undecided, "status = 'successful'"),
      moved('deposit'),
    ],
    [
      'a withdrawal that is less than its hold',
      change('withdrawal', 'amount = amount - 1', 'true'),
      moved('withdrawal'),
    ],
    [
      'a withdrawal that is paid and under review',
      change('withdrawal', `${undecided}, ended_as = NULL`, "ended_as = 'paid'"),
      moved('withdrawal'),
    ],
    [
      'a returned withdrawal that says paid',
      change('withdrawal', "status = 'successful', ended_as = 'paid', reason = NULL", "status = 'failed'"),
      moved('withdrawal'),
    ],
    [
      'a hold of another amount',
      change('hold', 'amount = amount + 1', "ref_kind = 'withdrawal'"),
      moved('withdrawal'),
    ],
    [
      'a paid hold that was voided',
      change(
        'hold_resolution',
        "outcome = 'voided'",
        "hold_id IN (SELECT hold_id FROM withdrawal WHERE ended_as = 'paid')",
      ),
      moved('withdrawal'),
    ],
    [
      'a hold of a transfer out of the fund that says available',
      change('hold', "source = 'available'", "ref_kind = 'fund_withdrawal'"),
      moved('fund_withdrawal'),
    ],
    [
      'a transfer into the fund of another amount',
      change('fund_record', 'amount = amount + 1', "kind = 'deposit'"),
      moved('fund_deposit'),
    ],
    [
      'a fast transfer out of the fund of another amount',
      change('fund_record', 'amount = amount + 1', "mode = 'fast'"),
      moved('fund_withdrawal'),
    ],
    [
      'a standard transfer out of the fund that is not paid and says so',
      change(
        'fund_record',
        "status = CASE status WHEN 'successful' THEN 'under_review' ELSE 'successful' END",
        "mode = 'standard'",
      ),
      moved('fund_withdrawal'),
    ],
    [
      'an earning of another amount',
      change('fund_earning', 'amount = amount + 1', 'amount > 0'),
      moved('fund_earning'),
    ],
    [
      'an earning at another rate',
      change('fund_earning', 'per10k = per10k + 1', 'amount > 0'),
      /^fund earning of \S+ of member .*: it is not what the day's rate gives$/,
    ],
    [
      'a fund account with more than the ledger has',
      change('fund_account', 'confirmed = confirmed + 1', 'true'),
      /^member .*: what is in the fund is not what its account has$/,
    ],
    [
      'a posting for nothing that the venue knows',
      change('posting', "ref_id = 'none'", "type = 'deposit'"),
      /^deposit none of member .*: its postings are not what it moves$/,
    ],
    [
      'a posting for something of another kind',
      change('posting', "ref_kind = 'bonus'", "type = 'deposit'"),
      /^posting \d+ of member .*: nothing stands behind it$/,
    ],
    [
      'practice money from the venue',
      change('posting', 'grants = grants - 5, house = house + 5', "type = 'grant'"),
      /^posting \d+ of member .*: nothing stands behind it$/,
    ],
    [
      'a posting whose accounts do not follow',
      change('posting', 'held_after = held_after + 1', "type = 'deposit'"),
      /^posting \d+ of member .*: it does not follow from the one before$/,
    ],
    [
      'a balance that is not its postings',
      change('balance', 'held = held + 1', 'true'),
      /^balance of member .*: it is not that of the newest posting$/,
    ],
  ])('finds %s', async (_what, [table, statement], finding) => {
    expect(await findingsAfter(table, statement)).toContainEqual(expect.stringMatching(finding))
  })
})
