import { drizzle } from 'drizzle-orm/node-postgres'
import { expect, it } from 'vitest'
import { minor } from '../../../../contract/units.ts'
import { formatMoney } from '../../../../contract/money.ts'
import { withdrawableOf } from '../../../../contract/withdrawable.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { readAwaiting } from '../../../../server/money/wallet/awaitingDeposits.ts'
import { fc } from '../../../support/fastCheck.ts'

const database = await withDatabase()

/** What was won or lost, and then a deposit. */
type Step = { pnl: number; amount: number; awaits: boolean }

const change = fc.integer({ min: -300, max: 300 })
const steps = fc.array(
  fc.record<Step>({ pnl: change, amount: fc.integer({ min: 1, max: 200 }), awaits: fc.boolean() }),
  { maxLength: 8 },
)

/** All that waits, and what was won since the lowest P&L after the first credit. */
function awaitsByRule(history: readonly Step[], last: number): number {
  let awaits = 0
  let pnlNow = 0
  let lowest = Infinity
  for (const { pnl, amount, awaits: waits } of history) {
    pnlNow += pnl
    if (waits) awaits += amount
    if (awaits > 0) lowest = Math.min(lowest, pnlNow)
  }
  return awaits + Math.max(0, pnlNow + last - lowest)
}

let members = 0

/** Writes the history of a new member as it is in the tables; no trigger looks. */
async function write(history: readonly Step[], last: number): Promise<{ id: string; pnl: number }> {
  const id = `m${(members += 1)}`
  let pnl = 0
  const rows = history.map(({ pnl: change, amount, awaits }, index) => {
    pnl += change
    const ref = `${id}-${index}`
    return `INSERT INTO deposit (id, no, member_id, method_id, amount, status, created_at, created_on, decided_at, decided_by,
        awaits_second) VALUES ('${ref}', '${ref}', '${id}', 'x', ${amount}, 'successful', 1, '', 1, 'ann', ${awaits});
      INSERT INTO posting (member_id, id, at, type, amount, available, external, available_after, held_after, stakes_after,
        fund_after, pnl_after, ref_kind, ref_id)
      VALUES ('${id}', ${index + 1}, 1, 'deposit', ${amount}, ${amount}, ${-amount}, 1, 0, 0, 0, ${pnl}, 'deposit', '${ref}');`
  })
  await database.owner.query(`BEGIN; SET LOCAL session_replication_role = replica; ${rows.join('')}
    INSERT INTO balance (member_id, available, pnl) VALUES ('${id}', 10000, ${pnl + last}); COMMIT`)
  return { id, pnl: pnl + last }
}

it('no loss frees what waits, and what is won after one waits too', async () => {
  await fc.assert(
    fc.asyncProperty(steps, change, change, async (history, last, later) => {
      const { id, pnl } = await write(history, last)
      const { rows } = await database.owner.query(`SELECT awaits_second_of('${id}') AS awaits`)
      expect(rows).toEqual([{ awaits: awaitsByRule(history, last) }])
      const awaiting = await readAwaiting(drizzle(database.owner), id)
      const shown = (accountPnl: number): number =>
        withdrawableOf({ available: '100.00', accountPnl: formatMoney(minor(accountPnl)) }, awaiting)
      expect(shown(pnl)).toBe(10_000 - awaitsByRule(history, last))
      // A client that has not asked again since.
      expect(shown(pnl + later)).toBe(10_000 - awaitsByRule(history, last + later))
    }),
    {
      numRuns: 200,
      examples: [
        [
          [
            { pnl: 0, amount: 10, awaits: true },
            { pnl: -300, amount: 200, awaits: true },
          ],
          0,
          0,
        ],
      ],
    },
  )
})
