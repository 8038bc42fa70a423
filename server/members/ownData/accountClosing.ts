import { and, eq, isNull, or } from 'drizzle-orm'
import { formatMoney } from '../../../contract/money.ts'
import { minor } from '../../../contract/units.ts'
import { ApiError } from '../../platform/apiError.ts'
import { type ActLog, toDecisionColumns, message, messageMute } from '../../notices/index.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import {
  keptExclusion,
  loginEvent,
  serviceMessage,
  passwordFailure,
  passwordRecoveryCode,
  passwordRequest,
  memberFactors,
  verification,
} from '../schema.ts'
import { member, type MemberRow } from '../../platform/db/schema.ts'
import {
  memberLimit,
  deposit,
  withdrawal,
  withdrawalAccount,
  type Freezes,
  type Ledger,
  transactionOf,
} from '../../money/index.ts'
import { priceAlert } from '../../trading/index.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { Clock } from '../../platform/ports.ts'
import { deviceOwner } from '../accounts/account.ts'
import type { DeviceOwner } from '../accounts/knownDevices.ts'
import { forgetFactors } from '../secondFactor/factorCore.ts'
import type { MembersSettings } from '../settings.ts'

/**
 * Closes accounts permanently. Data that the law requires the venue to keep remains: the account's name, orders,
 * ledger, fund, transfers with the accounts they went to, verifications, the act log. All other data of the member is
 * deleted.
 */
export type AccountClosing = {
  /**
   * Returns whose device this was. Throws `ACCOUNT_FROZEN`, `OPEN_ORDERS`, `REQUESTS_PENDING`, `BALANCE_LEFT`, and
   * `UNAUTHENTICATED` if it is closed already.
   */
  close(memberId: string): Promise<DeviceOwner>
}

export type AccountClosingParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  ledger: Pick<Ledger, 'lock' | 'post'>
  /** Practice money ends with its account. */
  settings: Pick<MembersSettings, 'mode'>
  freezes: Pick<Freezes, 'current'>
  sessions: Pick<Sessions, 'endAll'>
  actLog: Pick<ActLog, 'write'>
}

/** Who ended the requests that were under review, and why. */
const byMember = { actor: 'member', reason: 'account closed' }
const underReview = 'under_review'

export function createAccountClosing(parts: AccountClosingParts): AccountClosing {
  const { db, clock, sessions, actLog } = parts
  return {
    close: async (memberId) => {
      const { owner, endSockets } = await db.transaction(async (tx) => {
        await clearBalance(parts, tx, memberId)
        const row = await lockOpen(tx, memberId)
        const freeze = await parts.freezes.current(memberId, tx)
        if (freeze) throw new ApiError('ACCOUNT_FROZEN', { params: { until: freeze.until } })
        await endRequests(parts, tx, memberId)
        await tx.update(member).set(closedColumns(row, clock.now())).where(eq(member.id, memberId))
        await keepExclusion(tx, row)
        await removeRest(tx, memberId)
        const endSockets = await sessions.endAll(tx, memberId)
        const subject = { kind: 'member', id: memberId }
        await actLog.write(tx, { actor: byMember.actor, act: 'close', subject, memberId })
        return { owner: deviceOwner(row), endSockets }
      })
      endSockets()
      return owner
    },
  }
}

/**
 * Forfeits practice money; real money must have been withdrawn. Holds the balance's lock until the account is closed:
 * an order, deposit or transfer placed at the same moment is either seen here or refused afterwards.
 */
async function clearBalance(
  { ledger, settings }: Pick<AccountClosingParts, 'ledger' | 'settings'>,
  tx: DbTransaction,
  memberId: string,
): Promise<void> {
  const { available, held, stakes, fund } = await ledger.lock(tx, memberId)
  if (stakes > 0) throw new ApiError('OPEN_ORDERS')
  const openDeposits = and(
    eq(deposit.memberId, memberId),
    or(eq(deposit.status, underReview), deposit.awaitsSecond),
  )
  const openWithdrawals = and(eq(withdrawal.memberId, memberId), eq(withdrawal.status, underReview))
  const pending = (await tx.$count(deposit, openDeposits)) + (await tx.$count(withdrawal, openWithdrawals))
  // Money is also held for a transfer out of the fund.
  if (pending > 0 || held > 0) throw new ApiError('REQUESTS_PENDING')
  const isPractice = settings.mode === 'practice'
  if (fund > 0 || (available > 0 && !isPractice)) {
    const params = { available: formatMoney(minor(available)), fund: formatMoney(minor(fund)) }
    throw new ApiError('BALANCE_LEFT', { params })
  }
  // Back to where practice money comes from.
  if (available > 0) await ledger.post(tx, transactionOf('reset', memberId, -available))
}

/** Waits for what is being written for the member, such as a login, and keeps more from beginning. */
async function lockOpen(tx: DbTransaction, memberId: string): Promise<MemberRow> {
  const [row] = await tx.select().from(member).where(eq(member.id, memberId)).for('update')
  if (!row || row.closedAt !== null) throw new ApiError('UNAUTHENTICATED')
  return row
}

/**
 * The remaining part of a member's row. Account and opening code are referenced by other rows, and are never assigned
 * again.
 */
function closedColumns({ verification: status }: MemberRow, now: number) {
  return {
    closedAt: now,
    nickname: '',
    phoneHash: null,
    phoneMasked: null,
    phoneSealed: null,
    contactEmailSealed: null,
    passwordHash: null,
    transactionPasswordHash: null,
    withdrawalAccountBound: false,
    withdrawalsRestUntil: null,
    withdrawalsRestCause: null,
    verification: status === 'under_review' ? ('rejected' as const) : status,
  }
}

/** Requests of a closed account are not decided; photos of a rejected verification are removed in time. */
async function endRequests(
  { clock }: Pick<AccountClosingParts, 'clock'>,
  tx: DbTransaction,
  memberId: string,
): Promise<void> {
  const ofVerification = and(eq(verification.memberId, memberId), eq(verification.status, underReview))
  for (const row of await tx.select().from(verification).where(ofVerification).for('update')) {
    const set = { status: 'rejected', ...toDecisionColumns(row, byMember, clock) } as const
    await tx.update(verification).set(set).where(eq(verification.id, row.id))
  }
  const ofPassword = and(eq(passwordRequest.memberId, memberId), eq(passwordRequest.status, underReview))
  for (const row of await tx.select().from(passwordRequest).where(ofPassword).for('update')) {
    const set = { status: 'failed', newHash: null, ...toDecisionColumns(row, byMember, clock) } as const
    await tx.update(passwordRequest).set(set).where(eq(passwordRequest.id, row.id))
  }
  await tx
    .update(withdrawalAccount)
    .set({ unboundAt: clock.now(), unboundBy: byMember.actor })
    .where(and(eq(withdrawalAccount.memberId, memberId), isNull(withdrawalAccount.unboundAt)))
}

/** An exclusion outlives its account: a new one with the same phone has it too. */
async function keepExclusion(tx: DbTransaction, { id, phoneHash }: MemberRow): Promise<void> {
  if (phoneHash === null) return
  const [limit] = await tx
    .select()
    .from(memberLimit)
    .where(and(eq(memberLimit.memberId, id), eq(memberLimit.field, 'excludedUntil')))
  if (!limit || (limit.value === null && limit.nextValue === null)) return
  const { value, nextValue, nextAt } = limit
  const set = { value, nextValue, nextAt }
  await tx
    .insert(keptExclusion)
    .values({ phoneHash, ...set })
    .onConflictDoUpdate({ target: keptExclusion.phoneHash, set })
}

/** The rows that no law makes the venue keep. Pictures of the conversation are removed by a job. */
async function removeRest(tx: DbTransaction, memberId: string): Promise<void> {
  await tx.delete(message).where(eq(message.memberId, memberId))
  await tx.delete(messageMute).where(eq(messageMute.memberId, memberId))
  await tx.delete(serviceMessage).where(eq(serviceMessage.memberId, memberId))
  await tx.delete(priceAlert).where(eq(priceAlert.memberId, memberId))
  await tx.delete(loginEvent).where(eq(loginEvent.memberId, memberId))
  await tx.delete(memberLimit).where(eq(memberLimit.memberId, memberId))
  await tx.delete(passwordFailure).where(eq(passwordFailure.memberId, memberId))
  await tx.delete(passwordRecoveryCode).where(eq(passwordRecoveryCode.memberId, memberId))
  await forgetFactors(tx, memberFactors, memberId)
}
