import { minor, type Minor } from './units.ts'
import { moneyOf } from './money.ts'
import type { Assets } from './ledger.ts'
import type { AwaitingDeposits } from './withdrawals.ts'

/**
 * What of the available balance can be withdrawn or moved to the fund: not the deposits that wait for a second person, nor
 * what was won since, because it may have been won with money that never came. No loss reduces that: otherwise a deposit
 * that never came would pay for it.
 */
export function withdrawableOf(
  { available, accountPnl }: Pick<Assets, 'available' | 'accountPnl'>,
  awaiting: AwaitingDeposits | null,
): Minor {
  const balance = moneyOf(available)
  if (awaiting === null) return balance
  const won = Math.max(0, moneyOf(accountPnl) - moneyOf(awaiting.lowestPnl))
  return minor(Math.max(0, balance - moneyOf(awaiting.amount) - won))
}
