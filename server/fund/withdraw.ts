import { minor } from '../../contract/brand.ts'
import type { Minor } from '../../contract/brand.ts'
import { nextTradingDay } from '../../contract/fund.ts'
import type { FundRecord } from '../../contract/fund.ts'
import { formatMoney, moneyOf, negate } from '../../contract/money.ts'
import type { BusinessDay } from '../../contract/time.ts'
import type { Committed } from '../committed.ts'
import type { DbTransaction } from '../db/database.ts'
import { fundRecord } from '../db/schema/fund.ts'
import type { FundAccountRow } from '../db/schema/fund.ts'
import { ApiError } from '../apiError.ts'
import type { Posted } from '../ledger/ledger.ts'
import { saveFundAccount, dailyUsageOn } from './account.ts'
import type { DailyUsage } from './account.ts'
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
  const used = dailyUsageOn(account, today)
  assertWithdrawalAllowed(context, account, used, amount, mode)

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
    onDay: isFast ? today : payoutDay(today, settings.holidays),
  } as const
  await tx.insert(fundRecord).values(row)
  const saved = await saveFundAccount(tx, {
    ...account,
    ...used,
    usedOn: today,
    withdrawalsUsed: used.withdrawalsUsed + 1,
    fastUsed: used.fastUsed + (isFast ? amount : 0),
    confirmed: account.confirmed - amount,
    owed: account.owed + (isFast ? 0 : amount),
  })
  const view = await viewOf(context, tx, saved)
  return {
    answer: recordOf(row, settings.zone),
    afterCommit: () => {
      notify()
      ledger.publish(memberId, moved.posted)
      bus.emit(memberId, 'fund', view)
    },
  }
}

/** A standard withdrawal is paid at the start of the first trading day after the day of the request. */
const payoutDay = (today: BusinessDay, holidays: ReadonlySet<BusinessDay>): BusinessDay =>
  nextTradingDay(today, holidays)

function assertWithdrawalAllowed(
  { business, settings }: FundContext,
  account: FundAccountRow,
  used: DailyUsage,
  amount: Minor,
  mode: FundWithdrawalRequest['mode'],
): void {
  if (used.withdrawalsUsed >= settings.withdrawalsPerDay) throw transfersUsedError(business)
  const fastLeft = minor(moneyOf(settings.fastCapPerDay) - used.fastUsed)
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
  const ref = { kind: 'fund_withdrawal', id }
  if (isFast) {
    const legs = { fund: negate(amount), available: amount }
    const posted = await ledger.post(tx, { memberId, type: 'fund_out', legs, ref })
    return posted ? { posted, holdId: null } : missing()
  }
  const placed = await holds.place(tx, { memberId, source: 'fund', amount, type: 'fund_out', ref })
  return placed ?? missing()
}

function missing(): never {
  throw new Error('The ledger has less than the confirmed amount.')
}
