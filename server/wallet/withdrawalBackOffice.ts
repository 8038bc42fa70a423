import { desc, eq } from 'drizzle-orm'
import { minor } from '../../contract/brand.ts'
import { formatMoney } from '../../contract/money.ts'
import type { ReviewStatus } from '../../contract/reviews.ts'
import type { DbTransaction, WithinTransaction } from '../db/database.ts'
import { withdrawal } from '../db/schema/wallet.ts'
import type { WithdrawalRow } from '../db/schema/wallet.ts'
import { ApiError } from '../apiError.ts'
import type { MessageDraft } from '../messages/messages.ts'
import { matchesReview, toPagedList } from '../paging.ts'
import type { PagedList, PageRequest, ReviewFilter } from '../paging.ts'
import type { BackOfficeWithdrawal } from './withdrawalView.ts'
import { endWithdrawal, publishWithdrawal } from './withdrawalEnd.ts'
import type { Ending, WithdrawalsParts } from './withdrawalEnd.ts'

export type WithdrawalBackOffice = {
  list(page: PageRequest, filter?: ReviewFilter<ReviewStatus>): Promise<PagedList<BackOfficeWithdrawal>>
  show(id: string): Promise<BackOfficeWithdrawal>
  /**
   * Approved, a withdrawal is still under review for the member until it is paid; `within` runs in the same transaction.
   * These throw `NOT_FOUND`, `CONFLICT` if it is already decided, or not approved, and all but `reject` `ACCOUNT_FROZEN`.
   */
  approve(id: string, actor: string, within?: WithinTransaction): Promise<BackOfficeWithdrawal>
  /** Call after the money was paid out, with the bank's reference. */
  pay(id: string, reference: string, actor: string): Promise<BackOfficeWithdrawal>
  /** Both at once, for the one person with the desk key. */
  approveAndPay(id: string, actor: string): Promise<BackOfficeWithdrawal>
  /** Returns the amount to the member in the same transaction. */
  reject(id: string, reason: string, actor: string): Promise<BackOfficeWithdrawal>
}

/** What customer service does with withdrawals. */
export function createWithdrawalBackOffice(parts: WithdrawalsParts): WithdrawalBackOffice {
  const { db, bus, views, audit, messages, freezes } = parts

  const decide = async (
    id: string,
    ending: Exclude<Ending, { as: 'cancelled' }>,
    isDecidable: (row: WithdrawalRow) => boolean = () => true,
  ): Promise<BackOfficeWithdrawal> => {
    const { row, posted, notify } = await db.transaction(async (tx) => {
      const [current] = await tx.select().from(withdrawal).where(eq(withdrawal.id, id)).for('update')
      if (!current) throw new ApiError('NOT_FOUND')
      if (!isDecidable(current)) throw new ApiError('CONFLICT')
      if (ending.as === 'paid') await freezes.assertNotFrozen(current.memberId, tx)
      const ended = await endWithdrawal(tx, parts, current, ending)
      if (!ended) throw new ApiError('CONFLICT')
      const { memberId, no } = current
      const isRejected = ending.as === 'refused'
      await audit.write(tx, {
        actor: ending.by,
        act: isRejected ? 'reject' : current.approvedAt === null ? 'approve' : 'pay',
        subject: { kind: 'withdrawal', id },
        memberId,
        details: {
          no,
          ...(isRejected
            ? { reason: ending.reason }
            : ending.reference !== null && { reference: ending.reference }),
        },
      })
      return { ...ended, notify: await messages.send(tx, draftOf(ended.row)) }
    })
    publishWithdrawal(parts, row, posted)
    notify()
    return views.backOfficeView(row)
  }

  return {
    list: async (page, filter = {}) => {
      const rows = await db
        .select()
        .from(withdrawal)
        .where(matchesReview(withdrawal, withdrawal.createdAt, filter, page))
        .orderBy(desc(withdrawal.createdAt), desc(withdrawal.id))
        .limit(page.limit + 1)
      return toPagedList(rows, page.limit, views.backOfficeView, (row) => [row.createdAt, row.id])
    },
    show: async (id) => {
      const [row] = await db.select().from(withdrawal).where(eq(withdrawal.id, id))
      if (!row) throw new ApiError('NOT_FOUND')
      return views.backOfficeView(row)
    },
    approve: async (id, actor, within = async () => undefined) => {
      const row = await db.transaction((tx) => approveWithdrawal(parts, tx, id, actor, within))
      bus.emit(row.memberId, 'withdrawal', views.view(row))
      return views.backOfficeView(row)
    },
    pay: (id, reference, actor) =>
      decide(id, { as: 'paid', by: actor, reference }, ({ approvedAt }) => approvedAt !== null),
    approveAndPay: (id, actor) =>
      decide(id, { as: 'paid', by: actor, reference: null }, ({ approvedAt }) => approvedAt === null),
    reject: (id, reason, actor) => decide(id, { as: 'refused', by: actor, reason }),
  }
}

async function approveWithdrawal(
  { clock, audit, freezes }: WithdrawalsParts,
  tx: DbTransaction,
  id: string,
  actor: string,
  within: WithinTransaction,
): Promise<WithdrawalRow> {
  const [current] = await tx.select().from(withdrawal).where(eq(withdrawal.id, id)).for('update')
  if (!current) throw new ApiError('NOT_FOUND')
  const { memberId, no, version, status } = current
  if (status !== 'under_review' || current.approvedAt !== null) throw new ApiError('CONFLICT')
  await freezes.assertNotFrozen(memberId, tx)
  const set = { approvedAt: clock.now(), approvedBy: actor, version: version + 1 }
  await tx.update(withdrawal).set(set).where(eq(withdrawal.id, id))
  await audit.write(tx, {
    actor,
    act: 'approve',
    subject: { kind: 'withdrawal', id },
    memberId,
    details: { no },
  })
  await within(tx)
  return { ...current, ...set }
}

/** The message to the member about a decision. */
function draftOf(row: WithdrawalRow): MessageDraft {
  const link = 'pages/withdraw-list/withdraw-list'
  const params = { no: row.no, amount: formatMoney(minor(row.amount)) }
  const { memberId, reason } = row
  return reason === null
    ? { memberId, key: 'withdrawalSuccessful', params, link }
    : { memberId, key: 'withdrawalFailed', params: { ...params, reason }, link }
}
