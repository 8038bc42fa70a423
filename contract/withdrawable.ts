import { minor, type Minor } from './units.ts'
import { moneyOf } from './money.ts'
import type { Assets } from './ledger.ts'
import type { AwaitingDeposits } from './withdrawals.ts'

/**
 * What of the available balance can be withdrawn: not the deposits that wait for a second person, nor what was won since,
 * because it may have been won with money that never came. What was lost since is theirs first.
 */
export function withdrawableOf(
  { available, accountPnl }: Pick<Assets, 'available' | 'accountPnl'>,
  awaiting: AwaitingDeposits | null,
): Minor {
  const balance = moneyOf(available)
  if (awaiting === null) return balance
  const since = moneyOf(accountPnl) - moneyOf(awaiting.pnlBefore)
  return minor(Math.max(0, balance - Math.max(0, moneyOf(awaiting.amount) + since)))
}
