import type * as z from 'zod/mini'
import type { Minor } from '../../contract/brand.ts'
import { minor } from '../../contract/brand.ts'
import { depositDates } from '../../contract/fund.ts'
import type { fundDepositAnswer } from '../../contract/fund.ts'
import { formatMoney, negate } from '../../contract/money.ts'
import type { Committed } from '../committed.ts'
import type { DbTransaction } from '../db/database.ts'
import { fundLot, fundRecord } from '../db/schema/fund.ts'
import { ApiError } from '../apiError.ts'
import { saveFundAccount, dailyUsageOn } from './account.ts'
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
  const used = dailyUsageOn(account, today)
  if (used.depositsUsed >= settings.depositsPerDay) throw transfersUsedError(business)

  const id = random.uuid()
  const at = clock.now()
  const posted = await ledger.post(tx, {
    memberId,
    type: 'fund_in',
    ref: { kind: 'fund_deposit', id },
    legs: { available: negate(amount), fund: amount },
  })
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
  const saved = await saveFundAccount(tx, {
    ...account,
    ...used,
    usedOn: today,
    depositsUsed: used.depositsUsed + 1,
    pending: account.pending + amount,
  })
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
