import type { LedgerType } from '../../contract/ledger.ts'
import type { ReplayedFund } from './fundRules.ts'
import type { MemberRows } from './members.ts'

/** The accounts that a posting changes; those that are not named do not change. */
export type Legs = Partial<
  Record<'available' | 'held' | 'stakes' | 'fund' | 'house' | 'grants' | 'external', number>
>
/** A posting that follows from a command. */
export type ExpectedPosting = {
  type: LedgerType
  legs: Legs
  /** The amount in the capital record. */
  amount: number
  pnl?: number
  /** The instant, if the command has it: other postings have the venue's clock at their own statement. */
  at?: number
}
/** The postings of everything that moved a member's money, in order, by what they refer to. */
export type ExpectedPostings = Map<string, ExpectedPosting[]>

export const refOf = (kind: string, id: string): string => `${kind} ${id}`

/**
 * The postings that a member's commands must have: orders, deposits, withdrawals, transfers of the fund and its earnings.
 * An order's result is the one in its row, which the replay of orders has given before.
 */
export function expectedPostings(rows: MemberRows, fund: ReplayedFund | null): ExpectedPostings {
  const expected: ExpectedPostings = new Map()
  for (const order of rows.orders) expected.set(refOf('order', order.id), ofOrder(order))
  for (const { id, amount, status } of rows.deposits) {
    const posted = { type: 'deposit', legs: { available: amount, external: -amount }, amount } as const
    expected.set(refOf('deposit', id), status === 'successful' ? [posted] : [])
  }
  for (const row of rows.withdrawals) expected.set(refOf('withdrawal', row.id), ofWithdrawal(row))
  for (const record of rows.records) {
    const { id, kind } = record
    if (kind === 'deposit') expected.set(refOf('fund_deposit', id), [ofFundDeposit(record)])
    if (kind === 'withdrawal') expected.set(refOf('fund_withdrawal', id), ofFundWithdrawal(record))
  }
  for (const { onDay, amount } of fund?.earnings ?? []) {
    if (amount === 0) continue
    const legs = { fund: amount, house: -amount }
    expected.set(refOf('fund_earning', onDay), [{ type: 'fund_earning', legs, amount, pnl: amount }])
  }
  return expected
}

function ofOrder({
  amount,
  payout,
  status,
  acceptedAt,
  settledAt,
}: MemberRows['orders'][number]): ExpectedPosting[] {
  const stake = { type: 'stake', legs: { available: -amount, stakes: amount }, amount: -amount } as const
  if (settledAt === null || payout === null) return [{ ...stake, at: acceptedAt }]
  return [
    { ...stake, at: acceptedAt },
    {
      type: status === 'refunded' ? 'refund' : 'payout',
      legs: { available: payout, stakes: -amount, house: amount - payout },
      amount: payout,
      pnl: payout - amount,
      at: settledAt,
    },
  ]
}

function ofWithdrawal({ amount, endedAs }: MemberRows['withdrawals'][number]): ExpectedPosting[] {
  const held: ExpectedPosting = {
    type: 'withdrawal_hold',
    legs: { available: -amount, held: amount },
    amount: -amount,
  }
  if (endedAs === null) return [held]
  const paid: ExpectedPosting = {
    type: 'withdrawal_paid',
    legs: { held: -amount, external: amount },
    amount: 0,
  }
  const returned: ExpectedPosting = {
    type: 'withdrawal_returned',
    legs: { available: amount, held: -amount },
    amount,
  }
  return [held, endedAs === 'paid' ? paid : returned]
}

type FundRecordRow = MemberRows['records'][number]

const ofFundDeposit = ({ amount }: FundRecordRow): ExpectedPosting => ({
  type: 'fund_in',
  legs: { available: -amount, fund: amount },
  amount: -amount,
})

function ofFundWithdrawal({ amount, mode, status }: FundRecordRow): ExpectedPosting[] {
  const type = 'fund_out'
  if (mode === 'fast') return [{ type, legs: { available: amount, fund: -amount }, amount }]
  // The capital record is about `available`, where the money comes when it is paid.
  const held: ExpectedPosting = { type, legs: { held: amount, fund: -amount }, amount: 0 }
  const paid: ExpectedPosting = { type, legs: { available: amount, held: -amount }, amount }
  return status === 'successful' ? [held, paid] : [held]
}
