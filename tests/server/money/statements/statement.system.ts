import { expect, it } from 'vitest'
import type { LedgerType } from '../../../../contract/ledger.ts'
import { addMonths } from '../../../../contract/time.ts'
import { postTransaction, type LedgerTransaction } from '../../../../server/money/ledger/post.ts'
import type { NumberedPosting } from '../../../../server/money/ledger/postings.ts'
import {
  listMonths,
  openStatement,
  type Balances,
  type Statement,
} from '../../../../server/money/statements/statement.ts'
import { fc } from '../../../support/fastCheck.ts'
import { withVenue } from '../../../support/withVenue.ts'
import { minor } from '../../../../contract/units.ts'

const venue = await withVenue()

const zones = ['Asia/Shanghai', 'America/New_York', 'Pacific/Apia', 'UTC'] as const
const start = Date.UTC(2026, 0, 31, 12)
/** Instants around the ends of months, sometimes in another order than the postings. */
const steps = fc.constantFrom(-2, 0, 1, 999, 3_600_000, 43_200_000, 40 * 86_400_000)
const moves = fc.constantFrom<LedgerTransaction['legs']>(
  { available: 1_234, external: -1_234 },
  { available: -100, stakes: 100 },
  { stakes: -100, available: 185, house: -85 },
  { stakes: -100, house: 100 },
  { available: -777, held: 777 },
  { held: -777, external: 777 },
)
const typeOf = (legs: LedgerTransaction['legs']): LedgerType => {
  if (legs.held !== undefined) return 'withdrawal_hold'
  return legs.stakes === undefined ? 'deposit' : 'stake'
}

const rowsOf = async (statement: Statement): Promise<NumberedPosting[]> => {
  const rows: NumberedPosting[] = []
  for await (const page of statement.pages()) rows.push(...page)
  return rows
}
const sumOf = (
  rows: readonly Pick<Balances, 'available' | 'held' | 'fund'>[],
  name: 'available' | 'held' | 'fund',
) => rows.reduce((sum, row) => sum + row[name], 0)

it('opening + rows = closing, months join, and every posting is in exactly one month', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(steps, moves), { maxLength: 25 }),
      fc.constantFrom(...zones),
      async (plan, zone) => {
        const member = await venue.createMember(minor(0))
        let at = start
        let now = start
        let posted = 0
        for (const [step, legs] of plan) {
          at += step
          now = Math.max(now, at)
          const transaction = { memberId: member.id, type: typeOf(legs), legs }
          if (await postTransaction(venue.db, transaction, at, '2026-01-31')) posted += 1
        }
        const months = (await listMonths(venue.db, member.id, zone, now)).toReversed()
        expect(months.length > 0).toBe(posted > 0)
        let before: Balances = { available: 0, held: 0, stakes: 0, fund: 0 }
        const ids: number[] = []
        for (const [index, { month }] of months.entries()) {
          if (index > 0) expect(month).toBe(addMonths(months[index - 1]!.month, 1))
          const statement = (await openStatement(venue.db, member.id, month, zone, now))!
          const rows = await rowsOf(statement)
          expect(statement.opening).toEqual(before)
          for (const name of ['available', 'held', 'fund'] as const) {
            expect(statement.opening[name] + sumOf(rows, name)).toBe(statement.closing[name])
            expect(sumOf(statement.totals, name)).toBe(sumOf(rows, name))
          }
          expect(statement.totals.reduce((sum, { entries }) => sum + entries, 0)).toBe(rows.length)
          let available = statement.opening.available
          for (const row of rows) expect(row.availableAfter).toBe((available += row.available))
          ids.push(...rows.map(({ id }) => id))
          before = statement.closing
        }
        expect(ids).toEqual(Array.from({ length: posted }, (_, index) => index + 1))
      },
    ),
    {
      numRuns: 60,
      // The first posting has the later instant, in the next month.
      examples: [
        [
          [
            [43_200_000, { available: 1_234, external: -1_234 }],
            [-2, { available: 1_234, external: -1_234 }],
          ],
          'UTC',
        ],
      ],
    },
  )
})

it('reads a long month a page at a time', async () => {
  const member = await venue.createMember(minor(100))
  const at = venue.clock.now()
  for (let i = 0; i < 510; i++) {
    const legs = { available: 1, external: -1 }
    await postTransaction(venue.db, { memberId: member.id, type: 'deposit', legs }, at, '2026-01-05')
  }
  const statement = (await openStatement(venue.db, member.id, '2026-01', 'UTC', at))!
  const sizes: number[] = []
  for await (const page of statement.pages()) sizes.push(page.length)
  expect(sizes).toEqual([500, 11])
  expect(statement.closing.available).toBe(610)
})
