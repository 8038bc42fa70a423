import { minor, type Minor } from '../../../contract/units.ts'
import { nextTradingDay, type FundRecord } from '../../../contract/fund.ts'
import { afterWithdrawal, usageOn } from '../../../contract/fundAccount.ts'
import { formatMoney, moneyOf } from '../../../contract/money.ts'
import type { Committed } from '../../platform/committed.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import { fundRecord, type FundAccountRow } from '../schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import { transactionOf, type Posted } from '../ledger/ledger.ts'
import { saveFundAccount } from './account.ts'
import type { FundContext } from './context.ts'
import { recordOf } from './lists.ts'
import { consumeLots } from './lots.ts'
import { transfersUsedError } from './transfersUsed.ts'
import { viewOf } from './view.ts'

export type FundWithdrawalRequest = { amount: Minor; mode: 'fast' | 'standard' }
export type FundWithdrawalAnswer = FundRecord

/**
 * Moves a confirmed amount out of the fund: `fast` at once up to the daily cap, `standard` at the start of the next
 * trading day. The caller has verified the transaction password.
 */
export async function withdrawFromFund(
  context: FundContext,
  tx: DbTransaction,
  memberId: string,
  { amount, mode }: FundWithdrawalRequest,
): Promise<Committed<FundWithdrawalAnswer>> {
  const { clock, random, ledger, bus, settings } = context
  const { account, today, notify } = await context.lockAndRoll(tx, memberId)
  assertWithdrawalAllowed(context, usageOn(account, today), amount, mode)

  const id = random.uuid()
  const isFast = mode === 'fast'
  await consumeLots(tx, memberId, amount)
  const moved = await moveMoney(context, tx, memberId, { id, amount, isFast })
  const row = {
    id,
    memberId,
    kind: 'withdrawal',
    mode,
    amount,
    at: clock.now(),
    madeOn: today,
    holdId: moved.holdId,
    status: isFast ? 'successful' : 'under_review',
    onDay: isFast ? today : nextTradingDay(today, settings.holidays),
  } as const
  await tx.insert(fundRecord).values(row)
  const saved = await saveFundAccount(tx, afterWithdrawal(account, today, { amount, mode }))
  const view = await viewOf(context, tx, saved)
  return {
    answer: recordOf(row),
    afterCommit: () => {
      notify()
      ledger.publish(memberId, moved.posted)
      bus.emit(memberId, 'fund', view)
    },
  }
}

function assertWithdrawalAllowed(
  { business, settings }: FundContext,
  account: FundAccountRow,
  amount: Minor,
  mode: FundWithdrawalRequest['mode'],
): void {
  if (account.withdrawalsUsed >= settings.withdrawalsPerDay) throw transfersUsedError(business)
  const fastLeft = minor(moneyOf(settings.fastCapPerDay) - account.fastUsed)
  if (mode === 'fast' && amount > fastLeft) {
    throw new ApiError('FAST_CAP', { params: { fastLeft: formatMoney(fastLeft) } })
  }
  if (amount > account.confirmed) {
    const params = { confirmed: formatMoney(minor(account.confirmed)) }
    throw new ApiError('INSUFFICIENT_SHARES', { params })
  }
}

async function moveMoney(
  { ledger, holds }: FundContext,
  tx: DbTransaction,
  memberId: string,
  { id, amount, isFast }: { id: string; amount: Minor; isFast: boolean },
): Promise<{ posted: Posted; holdId: string | null }> {
  if (isFast) {
    const posted = await ledger.post(tx, transactionOf('fund_out', memberId, amount, { id }))
    return posted ? { posted, holdId: null } : missing()
  }
  const placed = await holds.place(tx, { memberId, kind: 'fund_out_held', amount, of: { id } })
  return placed ?? missing()
}

function missing(): never {
  throw new Error('The ledger has less than the confirmed amount.')
}
