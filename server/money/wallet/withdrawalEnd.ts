import { eq } from 'drizzle-orm'
import { type ActLog, toDecisionColumns, type Messages } from '../../notices/index.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { withdrawal, type WithdrawalRow } from '../schema.ts'
import type { Freezes } from '../freezes/freezes.ts'
import type { Holds } from '../ledger/holds.ts'
import type { Ledger, Posted } from '../ledger/ledger.ts'
import type { Clock, MemberBus, Random } from '../../platform/ports.ts'
import { referenceKeyOf, type Payment } from './bankReferences.ts'
import type { WithdrawalRests } from '../withdrawalRest/withdrawalRest.ts'
import type { WithdrawalAccounts } from './withdrawalAccounts.ts'
import type { WithdrawalViews } from './withdrawalView.ts'
import type { MoneyConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

export type WithdrawalsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  business: Pick<BusinessClock, 'today'>
  bus: MemberBus
  ledger: Ledger
  holds: Holds
  accounts: Pick<WithdrawalAccounts, 'bound'>
  withdrawalRests: Pick<WithdrawalRests, 'assertNone'>
  freezes: Pick<Freezes, 'assertNotFrozen'>
  views: WithdrawalViews
  actLog: ActLog
  messages: Pick<Messages, 'send'>
  settings: OperatorSettings<MoneyConfig, 'withdrawalMin' | 'requestLimits'>
}

/** How a withdrawal ends, and by whom. */
export type Ending =
  | { as: 'paid'; by: string; payment: Payment | null }
  | { as: 'refused'; by: string; reason: string }
  | { as: 'cancelled'; by: 'member' }

/** Ends a withdrawal, whose row is locked, and its hold; changes nothing and returns null if it is already decided. */
export async function endWithdrawal(
  tx: DbTransaction,
  { holds, clock }: Pick<WithdrawalsParts, 'holds' | 'clock'>,
  current: WithdrawalRow,
  ending: Ending,
): Promise<{ row: WithdrawalRow; posted: Posted } | null> {
  if (current.status !== 'under_review') return null
  // The bank may already have the order to pay it.
  if (ending.as === 'cancelled' && current.approvedAt !== null) return null
  const paid = ending.as === 'paid'
  const set = {
    status: paid ? 'successful' : 'failed',
    endedAs: ending.as,
    ...(ending.as === 'paid' && ending.payment !== null && toPaymentColumns(ending.payment)),
    ...toDecisionColumns(current, { actor: ending.by, reason: reasonOf(ending) }, clock),
  } as const
  await tx.update(withdrawal).set(set).where(eq(withdrawal.id, current.id))
  const { no } = current
  const kind = paid ? 'withdrawal_paid' : 'withdrawal_returned'
  const posted = await holds.resolve(tx, current.holdId, { kind, no })
  if (!posted) throw new Error('The hold of an open withdrawal is already resolved.')
  return { row: { ...current, ...set }, posted }
}

const toPaymentColumns = ({ reference, sharedTransfer = false }: Payment) => ({
  reference,
  referenceKey: referenceKeyOf(reference),
  sharedTransfer,
})

function reasonOf(ending: Ending): string | null {
  if (ending.as === 'paid') return null
  return ending.as === 'refused' ? ending.reason : 'CANCELLED'
}

export function publishWithdrawal(
  { bus, ledger, views }: Pick<WithdrawalsParts, 'bus' | 'ledger' | 'views'>,
  row: WithdrawalRow,
  posted: Posted,
): void {
  bus.emit(row.memberId, 'withdrawal', views.view(row))
  ledger.publish(row.memberId, posted)
}
