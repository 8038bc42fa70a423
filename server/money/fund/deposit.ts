import type * as z from 'zod/mini'
import { minor, type Minor } from '../../../contract/units.ts'
import { depositDates, type fundDepositAnswer } from '../../../contract/fund.ts'
import { afterDeposit, usageOn } from '../../../contract/fundAccount.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { Committed } from '../../platform/committed.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import { fundLot, fundRecord } from '../schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import { transactionOf } from '../ledger/ledger.ts'
import { assertWithdrawable } from '../wallet/awaitingDeposits.ts'
import { saveFundAccount } from './account.ts'
import type { FundContext } from './context.ts'
import { transfersUsedError } from './transfersUsed.ts'
import { viewOf } from './view.ts'

export type FundDepositAnswer = z.infer<typeof fundDepositAnswer>

/** Moves available money into the fund, where it is pending until it is confirmed. */
export async function depositToFund(
  context: FundContext,
  tx: DbTransaction,
  memberId: string,
  amount: Minor,
): Promise<Committed<FundDepositAnswer>> {
  const { business, clock, random, ledger, bus, settings } = context
  const { account, now, today, notify } = await context.lockAndRoll(tx, memberId)
  if (usageOn(account, today).depositsUsed >= settings.depositsPerDay) throw transfersUsedError(business)

  const id = random.uuid()
  const at = clock.now()
  await assertWithdrawable(tx, await ledger.lock(tx, memberId), amount)
  const posted = await ledger.post(tx, transactionOf('fund_in', memberId, amount, { id }))
  if (!posted) {
    const { available } = await ledger.lock(tx, memberId)
    throw new ApiError('INSUFFICIENT_BALANCE', { params: { available: formatMoney(minor(available)) } })
  }
  const dates = depositDates(now, settings.zone, settings.holidays)
  const shared = { id, memberId, kind: 'deposit', amount, status: 'pending_review', madeOn: today } as const
  await tx
    .insert(fundLot)
    .values({ ...shared, remaining: amount, depositedAt: at, confirmOn: dates.confirmOn })
  await tx.insert(fundRecord).values({ ...shared, at, onDay: dates.confirmOn })
  const saved = await saveFundAccount(tx, afterDeposit(account, today, amount))
  const view = await viewOf(context, tx, saved)
  return {
    answer: { id, amount: formatMoney(amount), status: 'pending_review', ...dates },
    afterCommit: () => {
      notify()
      ledger.publish(memberId, posted)
      bus.emit(memberId, 'fund', view)
    },
  }
}
