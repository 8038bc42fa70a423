import { minor } from './units.ts'
import { dayEarnings } from './fund.ts'
import type { BusinessDay } from './time.ts'

/**
 * What a member has in the fund, in minor units, and has used of a day's transfers. The functions are the rules of the fund:
 * each returns the account after one change.
 */
export type FundAccount = {
  confirmed: number
  pending: number
  /** What standard withdrawals have taken out and not paid yet. */
  owed: number
  /** The part of a cent that earnings have left over, as `dayEarnings` counts it. */
  carried: number
  totalEarned: number
  /** The newest day whose start is worked through. */
  begunOn: BusinessDay
  usedOn: BusinessDay
  depositsUsed: number
  withdrawalsUsed: number
  fastUsed: number
}

const nothingUsed = { depositsUsed: 0, withdrawalsUsed: 0, fastUsed: 0 }

/** An account before the first deposit. */
export const emptyFundAccount = (today: BusinessDay): FundAccount => ({
  confirmed: 0,
  pending: 0,
  owed: 0,
  carried: 0,
  totalEarned: 0,
  begunOn: today,
  usedOn: '',
  ...nothingUsed,
})

/** Without money no day changes an account. */
export const hasMoney = ({ confirmed, pending, owed }: FundAccount): boolean => confirmed + pending + owed > 0

/** What was used on an earlier day no longer counts. */
export const usageOn = <A extends FundAccount>(account: A, today: BusinessDay): A =>
  account.usedOn === today ? account : { ...account, ...nothingUsed, usedOn: today }

export function afterDeposit<A extends FundAccount>(before: A, today: BusinessDay, amount: number): A {
  const account = usageOn(before, today)
  return { ...account, depositsUsed: account.depositsUsed + 1, pending: account.pending + amount }
}

export function afterWithdrawal<A extends FundAccount>(
  before: A,
  today: BusinessDay,
  { amount, mode }: { amount: number; mode: 'fast' | 'standard' },
): A {
  const account = usageOn(before, today)
  const fast = mode === 'fast' ? amount : 0
  return {
    ...account,
    withdrawalsUsed: account.withdrawalsUsed + 1,
    fastUsed: account.fastUsed + fast,
    confirmed: account.confirmed - amount,
    owed: account.owed + amount - fast,
  }
}

/** A day's earnings, in minor units, on what was confirmed during the whole of it. */
export function afterEarning<A extends FundAccount>(
  account: A,
  per10k: number,
): { account: A; earned: number } {
  const { earned, carried } = dayEarnings(minor(account.confirmed), per10k, account.carried)
  const confirmed = account.confirmed + earned
  const totalEarned = account.totalEarned + earned
  return { account: { ...account, carried, confirmed, totalEarned }, earned }
}

export const afterConfirmation = <A extends FundAccount>(account: A, amount: number): A => ({
  ...account,
  pending: account.pending - amount,
  confirmed: account.confirmed + amount,
})

export const afterPayment = <A extends FundAccount>(account: A, amount: number): A => ({
  ...account,
  owed: account.owed - amount,
})
