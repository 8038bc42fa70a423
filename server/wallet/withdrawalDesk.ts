import { and, desc, eq } from 'drizzle-orm'
import { minor } from '../../contract/brand.ts'
import { formatMoney } from '../../contract/money.ts'
import type { ReviewStatus } from '../../contract/wallet.ts'
import { withdrawal } from '../db/schema/wallet.ts'
import type { WithdrawalRow } from '../db/schema/wallet.ts'
import { Refusal } from '../http/refusal.ts'
import type { Draft } from '../messages/messages.ts'
import { below, pageOf } from '../pages.ts'
import type { List, Page } from '../pages.ts'
import type { DeskWithdrawal } from './withdrawalView.ts'
import { end, tellWithdrawal } from './withdrawalEnd.ts'
import type { Ending, WithdrawalsParts } from './withdrawalEnd.ts'

export type WithdrawalDesk = {
  list(page: Page, status?: ReviewStatus): Promise<List<DeskWithdrawal>>
  show(id: string): Promise<DeskWithdrawal>
  /** The money went out. Throws 404, or 409 `CONFLICT` where it is decided already. */
  approve(id: string, actor: string): Promise<DeskWithdrawal>
  /** The amount is given back in the same transaction. */
  reject(id: string, reason: string, actor: string): Promise<DeskWithdrawal>
}

/** What customer service does with withdrawals. */
export function createWithdrawalDesk(parts: WithdrawalsParts): WithdrawalDesk {
  const { db, views, audit, messages } = parts

  const decide = async (
    id: string,
    ending: Exclude<Ending, { as: 'cancelled' }>,
  ): Promise<DeskWithdrawal> => {
    const { row, posted, note } = await db.transaction(async (tx) => {
      const [found] = await tx.select().from(withdrawal).where(eq(withdrawal.id, id)).for('update')
      if (!found) throw new Refusal(404, 'NOT_FOUND')
      const ended = await end(tx, parts, found, ending)
      if (!ended) throw new Refusal(409, 'CONFLICT')
      const { memberId, no } = found
      const refused = ending.as === 'refused'
      await audit.write(tx, {
        actor: ending.by,
        act: refused ? 'reject' : 'approve',
        subject: { kind: 'withdrawal', id },
        memberId,
        details: { no, ...(refused && { reason: ending.reason }) },
      })
      return { ...ended, note: await messages.send(tx, draftOf(ended.row)) }
    })
    tellWithdrawal(parts, row, posted)
    note()
    return views.deskView(row)
  }

  return {
    list: async (page, status) => {
      const rows = await db
        .select()
        .from(withdrawal)
        .where(and(status && eq(withdrawal.status, status), below(withdrawal.createdAt, withdrawal.id, page)))
        .orderBy(desc(withdrawal.createdAt), desc(withdrawal.id))
        .limit(page.limit + 1)
      return pageOf(rows, page.limit, views.deskView, (row) => [row.createdAt, row.id])
    },
    show: async (id) => {
      const [row] = await db.select().from(withdrawal).where(eq(withdrawal.id, id))
      if (!row) throw new Refusal(404, 'NOT_FOUND')
      return views.deskView(row)
    },
    approve: (id, actor) => decide(id, { as: 'paid', by: actor }),
    reject: (id, reason, actor) => decide(id, { as: 'refused', by: actor, reason }),
  }
}

/** What the member is told of a decision. */
function draftOf(row: WithdrawalRow): Draft {
  const link = 'pages/withdraw-list/withdraw-list'
  const params = { no: row.no, amount: formatMoney(minor(row.amount)) }
  const { memberId, reason } = row
  return reason === null
    ? { memberId, key: 'withdrawalSuccessful', params, link }
    : { memberId, key: 'withdrawalFailed', params: { ...params, reason }, link }
}
