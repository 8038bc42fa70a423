import { and, desc, eq } from 'drizzle-orm'
import { amountMax } from '../../contract/constants.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import type { Minor } from '../../contract/brand.ts'
import type { Withdrawal, WithdrawalAccount } from '../../contract/withdrawals.ts'
import type { Committed } from '../committed.ts'
import type { DbTransaction } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import { withdrawal } from '../db/schema/wallet.ts'
import { ApiError } from '../apiError.ts'
import { belowCursor, toPagedList } from '../paging.ts'
import type { PagedList, PageRequest } from '../paging.ts'
import { requestNo } from './requestNo.ts'
import { createWithdrawalBackOffice } from './withdrawalBackOffice.ts'
import type { WithdrawalBackOffice } from './withdrawalBackOffice.ts'
import { endWithdrawal, publishWithdrawal } from './withdrawalEnd.ts'
import type { WithdrawalsParts } from './withdrawalEnd.ts'

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
  /** Holds the amount; throws `INSUFFICIENT_BALANCE`, and `NOT_BOUND` or `WITHDRAWALS_REST` if that is new. */
  place(tx: DbTransaction, memberId: string, request: WithdrawalRequest): Promise<Committed<Withdrawal>>
  /** Cancelled by the member: throws `NOT_FOUND`, or `NOT_CANCELLABLE` if it is already decided. */
  cancel(tx: DbTransaction, memberId: string, id: string): Promise<Committed<Withdrawal>>
  list(memberId: string, page: PageRequest): Promise<PagedList<Withdrawal>>
  backOffice: WithdrawalBackOffice
}

export function createWithdrawals(parts: WithdrawalsParts): Withdrawals {
  const { db, clock, random, business, holds, accounts, withdrawalRests, views } = parts
  return {
    validate: async (memberId, { amount, accountId }, confirm) => {
      parseWithdrawalAmount(amount)
      await boundAccount(accounts, memberId, accountId)
      await requireVerified(db, memberId)
      await withdrawalRests.assertNone(memberId)
      await confirm()
    },
    place: async (tx, memberId, { amount: text, accountId }) => {
      const amount = parseWithdrawalAmount(text)
      const account = await boundAccount(accounts, memberId, accountId, tx)
      await withdrawalRests.assertNone(memberId, tx)
      const id = random.uuid()
      const no = requestNo('W', business.today(), random)
      const ref = { kind: 'withdrawal', id, no }
      const hold = await holds.place(tx, {
        memberId,
        source: 'available',
        amount,
        type: 'withdrawal_hold',
        ref,
      })
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
    backOffice: createWithdrawalBackOffice(parts),
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

/** Parses the amount; zero, or more than any balance can have, is an error of the field. */
function parseWithdrawalAmount(text: string): Minor {
  const amount = moneyOf(text)
  if (amount <= 0) throw new ApiError('VALIDATION', { fields: { amount: 'AMOUNT_MIN' } })
  if (amount > amountMax) {
    const max = formatMoney(amountMax)
    throw new ApiError('VALIDATION', { fields: { amount: 'AMOUNT_MAX' }, params: { max } })
  }
  return amount
}
