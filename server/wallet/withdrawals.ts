import { and, desc, eq } from 'drizzle-orm'
import { amountMax } from '../../contract/constants.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import type { Minor } from '../../contract/brand.ts'
import type { Withdrawal, WithdrawalAccount } from '../../contract/wallet.ts'
import type { DbTransaction } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import { withdrawal } from '../db/schema/wallet.ts'
import { Refusal } from '../http/refusal.ts'
import { below, pageOf } from '../pages.ts'
import type { List, Page } from '../pages.ts'
import type { Told } from './deposits.ts'
import { requestNo } from './number.ts'
import { createWithdrawalDesk } from './withdrawalDesk.ts'
import type { WithdrawalDesk } from './withdrawalDesk.ts'
import { end, tellWithdrawal } from './withdrawalEnd.ts'
import type { WithdrawalsParts } from './withdrawalEnd.ts'

export type WithdrawalRequest = {
  amount: string
  accountId?: string | undefined
  transactionPassword: string
}

/** Withdrawals: the amount is held at once, then paid on or given back, exactly once. There is no fee. */
export type Withdrawals = {
  /**
   * What is judged before the transaction: 400 amount, 422 `NOT_BOUND`, `NOT_VERIFIED`,
   * `TRANSACTION_PASSWORD_WRONG`, 423 `TRANSACTION_PASSWORD_LOCKED`.
   */
  judge(memberId: string, request: WithdrawalRequest): Promise<void>
  /** Holds the amount; 422 `INSUFFICIENT_BALANCE`. */
  place(tx: DbTransaction, memberId: string, request: WithdrawalRequest): Promise<Told<Withdrawal>>
  /** The member's own end of it: 404, or 409 `NOT_CANCELLABLE` where it is decided. */
  cancel(tx: DbTransaction, memberId: string, id: string): Promise<Told<Withdrawal>>
  list(memberId: string, page: Page): Promise<List<Withdrawal>>
  desk: WithdrawalDesk
}
export function createWithdrawals(parts: WithdrawalsParts): Withdrawals {
  const { db, clock, random, business, holds, guard, accounts, views } = parts

  const boundAccount = async (
    memberId: string,
    accountId: string | undefined,
    tx?: DbTransaction,
  ): Promise<WithdrawalAccount> => {
    const account = await accounts.bound(memberId, tx)
    if (!account || (accountId !== undefined && accountId !== account.id)) throw new Refusal(422, 'NOT_BOUND')
    return account
  }

  return {
    judge: async (memberId, { amount, accountId, transactionPassword }) => {
      amountOf(amount)
      await boundAccount(memberId, accountId)
      const [row] = await db
        .select({ verification: member.verification })
        .from(member)
        .where(eq(member.id, memberId))
      if (row?.verification !== 'verified') throw new Refusal(422, 'NOT_VERIFIED')
      await guard.demand(memberId, transactionPassword)
    },
    place: async (tx, memberId, { amount: text, accountId }) => {
      const amount = amountOf(text)
      const account = await boundAccount(memberId, accountId, tx)
      const id = random.uuid()
      const ref = { kind: 'withdrawal', id }
      const held = await holds.place(tx, {
        memberId,
        source: 'available',
        amount,
        type: 'withdrawal_hold',
        ref,
      })
      if (!held) throw new Refusal(422, 'INSUFFICIENT_BALANCE')
      const [row] = await tx
        .insert(withdrawal)
        .values({
          id,
          no: requestNo('W', business.today(), random),
          memberId,
          accountId: account.id,
          accountSealed: views.sealAccount(id, account),
          amount,
          holdId: held.holdId,
          status: 'under_review',
          createdAt: clock.now(),
        })
        .returning()
      if (!row) throw new Error('A withdrawal was not written.')
      return { answer: views.view(row), committed: () => tellWithdrawal(parts, row, held.posted) }
    },
    cancel: async (tx, memberId, id) => {
      const own = and(eq(withdrawal.id, id), eq(withdrawal.memberId, memberId))
      const [found] = await tx.select().from(withdrawal).where(own).for('update')
      if (!found) throw new Refusal(404, 'NOT_FOUND')
      const ended = await end(tx, parts, found, { as: 'cancelled', by: 'member' })
      if (!ended) throw new Refusal(409, 'NOT_CANCELLABLE')
      return {
        answer: views.view(ended.row),
        committed: () => tellWithdrawal(parts, ended.row, ended.posted),
      }
    },
    list: async (memberId, page) => {
      const own = eq(withdrawal.memberId, memberId)
      const rows = await db
        .select()
        .from(withdrawal)
        .where(and(own, below(withdrawal.createdAt, withdrawal.id, page)))
        .orderBy(desc(withdrawal.createdAt), desc(withdrawal.id))
        .limit(page.limit + 1)
      return pageOf(rows, page.limit, views.view, (row) => [row.createdAt, row.id])
    },
    desk: createWithdrawalDesk(parts),
  }
}

/** The amount asked for; what no balance could ever cover, or nothing at all, is a fault of the field. */
function amountOf(text: string): Minor {
  const amount = moneyOf(text)
  if (amount <= 0) throw new Refusal(400, 'VALIDATION', { fields: { amount: 'AMOUNT_MIN' } })
  if (amount > amountMax) {
    const max = formatMoney(amountMax)
    throw new Refusal(400, 'VALIDATION', { fields: { amount: 'AMOUNT_MAX' }, params: { max } })
  }
  return amount
}
