import {
  amountOf,
  movementsMade,
  movementOf,
  type CauseKind,
  type CauseRow,
  type Movement,
} from '../../../contract/movements.ts'
import type { ReplayedFund } from './fundRules.ts'
import type { MemberRows } from './members.ts'

/** A posting that follows from a command; `at` is its instant, if the command has it: others have the venue's clock. */
export type ExpectedPosting = Movement & { at?: number | null | undefined }
/** The postings of everything that moved a member's money, in order, by what they refer to. */
export type ExpectedPostings = Map<string, ExpectedPosting[]>

export const refOf = (kind: string, id: string): string => `${kind} ${id}`

/**
 * The postings that a member's commands must have: orders, deposits, withdrawals, transfers of the fund and its earnings.
 * An order's result is the one in its row, which the replay of orders has given before.
 */
export function expectedPostings(rows: MemberRows, fund: ReplayedFund | null): ExpectedPostings {
  const expected: ExpectedPostings = new Map()
  const expect = (cause: CauseKind, id: string, row: CauseRow): ExpectedPosting[] => {
    const postings = movementsMade(cause, row).map((kind) =>
      movementOf(kind, amountOf(kind, row), row.payout ?? 0),
    )
    expected.set(refOf(cause, id), postings)
    return postings
  }
  for (const order of rows.orders) {
    const [stake, result] = expect('order', order.id, order)
    if (stake) stake.at = order.acceptedAt
    if (result) result.at = order.settledAt
  }
  for (const row of rows.deposits) expect('deposit', row.id, row)
  for (const row of rows.withdrawals) expect('withdrawal', row.id, row)
  for (const row of rows.records) {
    expect('fund_deposit', row.id, row)
    expect('fund_withdrawal', row.id, row)
  }
  for (const row of fund?.earnings ?? []) expect('fund_earning', row.onDay, row)
  return expected
}
