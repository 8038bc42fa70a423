import { and, desc, eq } from 'drizzle-orm'
import { minor } from '../../contract/brand.ts'
import { formatMoney } from '../../contract/money.ts'
import type { ReviewStatus } from '../../contract/reviews.ts'
import { withdrawal } from '../db/schema/wallet.ts'
import type { WithdrawalRow } from '../db/schema/wallet.ts'
import { ApiError } from '../apiError.ts'
import type { MessageDraft } from '../messages/messages.ts'
import { belowCursor, toPagedList } from '../paging.ts'
import type { PagedList, PageRequest } from '../paging.ts'
import type { BackOfficeWithdrawal } from './withdrawalView.ts'
import { endWithdrawal, publishWithdrawal } from './withdrawalEnd.ts'
import type { Ending, WithdrawalsParts } from './withdrawalEnd.ts'

export type WithdrawalBackOffice = {
  list(page: PageRequest, status?: ReviewStatus): Promise<PagedList<BackOfficeWithdrawal>>
  show(id: string): Promise<BackOfficeWithdrawal>
  /** Call after the money was paid out. Throws `NOT_FOUND`, or `CONFLICT` if it is already decided. */
  approve(id: string, actor: string): Promise<BackOfficeWithdrawal>
  /** Returns the amount to the member in the same transaction. */
  reject(id: string, reason: string, actor: string): Promise<BackOfficeWithdrawal>
}

/** What customer service does with withdrawals. */
export function createWithdrawalBackOffice(parts: WithdrawalsParts): WithdrawalBackOffice {
  const { db, views, audit, messages } = parts

  const decide = async (
    id: string,
    ending: Exclude<Ending, { as: 'cancelled' }>,
  ): Promise<BackOfficeWithdrawal> => {
    const { row, posted, notify } = await db.transaction(async (tx) => {
      const [current] = await tx.select().from(withdrawal).where(eq(withdrawal.id, id)).for('update')
      if (!current) throw new ApiError('NOT_FOUND')
      const ended = await endWithdrawal(tx, parts, current, ending)
      if (!ended) throw new ApiError('CONFLICT')
      const { memberId, no } = current
      const isRejected = ending.as === 'refused'
      await audit.write(tx, {
        actor: ending.by,
        act: isRejected ? 'reject' : 'approve',
        subject: { kind: 'withdrawal', id },
        memberId,
        details: { no, ...(isRejected && { reason: ending.reason }) },
      })
      return { ...ended, notify: await messages.send(tx, draftOf(ended.row)) }
    })
    publishWithdrawal(parts, row, posted)
    notify()
    return views.backOfficeView(row)
  }

  return {
    list: async (page, status) => {
      const rows = await db
        .select()
        .from(withdrawal)
        .where(
          and(
            status && eq(withdrawal.status, status),
            belowCursor(withdrawal.createdAt, withdrawal.id, page),
          ),
        )
        .orderBy(desc(withdrawal.createdAt), desc(withdrawal.id))
        .limit(page.limit + 1)
      return toPagedList(rows, page.limit, views.backOfficeView, (row) => [row.createdAt, row.id])
    },
    show: async (id) => {
      const [row] = await db.select().from(withdrawal).where(eq(withdrawal.id, id))
      if (!row) throw new ApiError('NOT_FOUND')
      return views.backOfficeView(row)
    },
    approve: (id, actor) => decide(id, { as: 'paid', by: actor }),
    reject: (id, reason, actor) => decide(id, { as: 'refused', by: actor, reason }),
  }
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
