import { and, desc, eq } from 'drizzle-orm'
import type { Withdrawal, WithdrawalAccount } from '../../../contract/withdrawals.ts'
import type { Committed } from '../../platform/committed.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import { withdrawal } from '../schema.ts'
import { parseAmount } from '../../platform/amounts.ts'
import { ApiError } from '../../platform/apiError.ts'
import { belowCursor, toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import { assertWithdrawable } from './awaitingDeposits.ts'
import { createRequestLimits } from './requestLimits.ts'
import { requestNo } from './requestNo.ts'
import { createWithdrawalOffice, type WithdrawalOffice } from './withdrawalOffice.ts'
import { endWithdrawal, publishWithdrawal, type WithdrawalsParts } from './withdrawalEnd.ts'

export type WithdrawalRequest = {
  amount: string
  accountId?: string | undefined
}

/** Withdrawals: the amount is held at once, then paid out or returned, exactly once. There is no fee. */
export type Withdrawals = {
  /**
   * The checks before the transaction. Throws `VALIDATION` for the amount, `NOT_BOUND`, `NOT_VERIFIED`,
   * `WITHDRAWALS_REST`, or what `confirm` does, which comes last: it checks the transaction password or a passkey.
   */
  validate(memberId: string, request: WithdrawalRequest, confirm: () => Promise<void>): Promise<void>
  /**
   * Holds the amount; throws `TOO_MANY_OPEN`, `TOO_MANY_TODAY`, `AWAITS_SECOND_PERSON`, `INSUFFICIENT_BALANCE`, and
   * `NOT_BOUND` or `WITHDRAWALS_REST` if that is new.
   */
  place(tx: DbTransaction, memberId: string, request: WithdrawalRequest): Promise<Committed<Withdrawal>>
  /** Cancelled by the member: throws `NOT_FOUND`, or `NOT_CANCELLABLE` if it is already decided. */
  cancel(tx: DbTransaction, memberId: string, id: string): Promise<Committed<Withdrawal>>
  list(memberId: string, page: PageRequest): Promise<PagedList<Withdrawal>>
  office: WithdrawalOffice
}

export function createWithdrawals(parts: WithdrawalsParts): Withdrawals {
  const { db, clock, random, business, ledger, holds, accounts, withdrawalRests, views } = parts
  const limits = createRequestLimits(parts.settings)
  const { withdrawalMin: min } = parts.settings.operatorConfig
  return {
    validate: async (memberId, { amount, accountId }, confirm) => {
      parseAmount(amount, min)
      await boundAccount(accounts, memberId, accountId)
      await requireVerified(db, memberId)
      await withdrawalRests.assertNone(memberId)
      await confirm()
    },
    place: async (tx, memberId, { amount: text, accountId }) => {
      const amount = parseAmount(text, min)
      const account = await boundAccount(accounts, memberId, accountId, tx)
      await withdrawalRests.assertNone(memberId, tx)
      const balance = await ledger.lock(tx, memberId)
      await limits.assertWithdrawal(tx, memberId, clock.now())
      await assertWithdrawable(tx, balance, amount)
      const id = random.uuid()
      const no = requestNo('W', business.today(), random)
      const hold = await holds.place(tx, { memberId, kind: 'withdrawal_hold', amount, of: { id, no } })
      if (!hold) throw new ApiError('INSUFFICIENT_BALANCE')
      const [row] = await tx
        .insert(withdrawal)
        .values({
          id,
          no,
          memberId,
          accountId: account.id,
          accountSealed: views.encryptAccount(id, account),
          amount,
          holdId: hold.holdId,
          status: 'under_review',
          createdAt: clock.now(),
        })
        .returning()
      if (!row) throw new Error('The insert of a withdrawal returned no row.')
      return { answer: views.view(row), afterCommit: () => publishWithdrawal(parts, row, hold.posted) }
    },
    cancel: async (tx, memberId, id) => {
      const own = and(eq(withdrawal.id, id), eq(withdrawal.memberId, memberId))
      const [current] = await tx.select().from(withdrawal).where(own).for('update')
      if (!current) throw new ApiError('NOT_FOUND')
      const ended = await endWithdrawal(tx, parts, current, { as: 'cancelled', by: 'member' })
      if (!ended) throw new ApiError('NOT_CANCELLABLE')
      return {
        answer: views.view(ended.row),
        afterCommit: () => publishWithdrawal(parts, ended.row, ended.posted),
      }
    },
    list: async (memberId, page) => {
      const own = eq(withdrawal.memberId, memberId)
      const rows = await db
        .select()
        .from(withdrawal)
        .where(and(own, belowCursor(withdrawal.createdAt, withdrawal.id, page)))
        .orderBy(desc(withdrawal.createdAt), desc(withdrawal.id))
        .limit(page.limit + 1)
      return toPagedList(rows, page.limit, views.view, (row) => [row.createdAt, row.id])
    },
    office: createWithdrawalOffice(parts),
  }
}

/** @throws ApiError `NOT_BOUND` if the member has no withdrawal account, or another one */
async function boundAccount(
  accounts: WithdrawalsParts['accounts'],
  memberId: string,
  accountId: string | undefined,
  tx?: DbTransaction,
): Promise<WithdrawalAccount> {
  const account = await accounts.bound(memberId, tx)
  if (!account || (accountId !== undefined && accountId !== account.id)) throw new ApiError('NOT_BOUND')
  return account
}

/** @throws ApiError `NOT_VERIFIED` */
async function requireVerified(db: WithdrawalsParts['db'], memberId: string): Promise<void> {
  const [row] = await db
    .select({ verification: member.verification })
    .from(member)
    .where(eq(member.id, memberId))
  if (row?.verification !== 'verified') throw new ApiError('NOT_VERIFIED')
}
