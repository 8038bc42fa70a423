import { desc, eq } from 'drizzle-orm'
import { minor } from '../../../contract/units.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { ReviewStatus } from '../../../contract/reviews.ts'
import type { DbTransaction, WithinTransaction } from '../../platform/db/database.ts'
import { withdrawal, type WithdrawalRow } from '../schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { ActDetails, MessageDraft } from '../../notices/index.ts'
import {
  matchesReview,
  toPagedList,
  type PagedList,
  type PageRequest,
  type ReviewFilter,
} from '../../platform/paging.ts'
import type { OfficeWithdrawal } from './withdrawalView.ts'
import { assertUnusedReference, refusedReference, type Payment } from './bankReferences.ts'
import { endWithdrawal, publishWithdrawal, type Ending, type WithdrawalsParts } from './withdrawalEnd.ts'

export type WithdrawalOffice = {
  list(page: PageRequest, filter?: ReviewFilter<ReviewStatus>): Promise<PagedList<OfficeWithdrawal>>
  show(id: string): Promise<OfficeWithdrawal>
  /**
   * Approved, a withdrawal is still under review for the member until it is paid. `within` runs in the same transaction,
   * and `known` is what else the row of the act log says.
   * These throw `NOT_FOUND`, `CONFLICT` if it is already decided, or not approved, and all but `reject` `ACCOUNT_FROZEN`.
   */
  approve(
    id: string,
    actor: string,
    within?: WithinTransaction,
    known?: ActDetails,
  ): Promise<OfficeWithdrawal>
  /** Call after the money was paid out; `REFERENCE_USED` if another one has the reference, unless one transfer paid both. */
  pay(id: string, payment: Payment, actor: string, known?: ActDetails): Promise<OfficeWithdrawal>
  /** Both at once, for the one person with the desk key. */
  approveAndPay(id: string, actor: string): Promise<OfficeWithdrawal>
  /** Returns the amount to the member in the same transaction. */
  reject(id: string, reason: string, actor: string, within?: WithinTransaction): Promise<OfficeWithdrawal>
}

type OfficeEnding = Exclude<Ending, { as: 'cancelled' }>
type Act = Parameters<WithdrawalsParts['actLog']['write']>[1]

/** What customer service does with withdrawals. */
export function createWithdrawalOffice(parts: WithdrawalsParts): WithdrawalOffice {
  const { db, bus, views, actLog, messages, freezes } = parts

  const decide = async (
    id: string,
    ending: OfficeEnding,
    { isDecidable = () => true, within = async () => undefined, known = {} }: Deciding = {},
  ): Promise<OfficeWithdrawal> => {
    const { row, posted, notify } = await db.transaction(async (tx) => {
      const [current] = await tx.select().from(withdrawal).where(eq(withdrawal.id, id)).for('update')
      if (!current) throw new ApiError('NOT_FOUND')
      if (!isDecidable(current)) throw new ApiError('CONFLICT')
      if (ending.as === 'paid') await freezes.assertNotFrozen(current.memberId, tx)
      if (ending.as === 'paid') await assertUnusedReference(tx, id, ending.payment)
      const ended = await endWithdrawal(tx, parts, current, ending)
      if (!ended) throw new ApiError('CONFLICT')
      await actLog.write(tx, actOf(current, ending, known))
      await within(tx)
      return { ...ended, notify: await messages.send(tx, draftOf(ended.row)) }
    })
    publishWithdrawal(parts, row, posted)
    notify()
    return views.officeView(row)
  }

  return {
    list: async (page, filter = {}) => {
      const rows = await db
        .select()
        .from(withdrawal)
        .where(matchesReview(withdrawal, withdrawal.createdAt, filter, page))
        .orderBy(desc(withdrawal.createdAt), desc(withdrawal.id))
        .limit(page.limit + 1)
      return toPagedList(rows, page.limit, views.officeView, (row) => [row.createdAt, row.id])
    },
    show: async (id) => {
      const [row] = await db.select().from(withdrawal).where(eq(withdrawal.id, id))
      if (!row) throw new ApiError('NOT_FOUND')
      return views.officeView(row)
    },
    approve: async (id, actor, within = async () => undefined, known = {}) => {
      const row = await db.transaction((tx) => approveWithdrawal(parts, tx, { id, actor, within, known }))
      bus.emit(row.memberId, 'withdrawal', views.view(row))
      return views.officeView(row)
    },
    pay: (id, payment, actor, known) =>
      decide(
        id,
        { as: 'paid', by: actor, payment },
        { isDecidable: ({ approvedAt }) => approvedAt !== null, known },
      ).catch(refusedReference(db, id, payment)),
    approveAndPay: (id, actor) =>
      decide(
        id,
        { as: 'paid', by: actor, payment: null },
        { isDecidable: ({ approvedAt }) => approvedAt === null },
      ),
    reject: (id, reason, actor, within) => decide(id, { as: 'refused', by: actor, reason }, { within }),
  }
}

/** What else an end depends on and does. */
type Deciding = {
  isDecidable?: (row: WithdrawalRow) => boolean
  within?: WithinTransaction | undefined
  known?: ActDetails | undefined
}

/** The row of the act log of an end. */
function actOf(
  { id, memberId, no, approvedAt }: WithdrawalRow,
  ending: OfficeEnding,
  known: ActDetails,
): Act {
  const isRejected = ending.as === 'refused'
  return {
    actor: ending.by,
    act: isRejected ? 'reject' : approvedAt === null ? 'approve' : 'pay',
    subject: { kind: 'withdrawal', id },
    memberId,
    details: {
      no,
      ...known,
      ...(isRejected ? { reason: ending.reason } : ending.payment !== null && detailsOf(ending.payment)),
    },
  }
}

/** What the act log says of a payment. */
const detailsOf = ({ reference, sharedTransfer = false }: Payment) => ({
  reference,
  ...(sharedTransfer && { sharedTransfer }),
})

async function approveWithdrawal(
  { clock, actLog, freezes }: WithdrawalsParts,
  tx: DbTransaction,
  { id, actor, within, known }: { id: string; actor: string; within: WithinTransaction; known: ActDetails },
): Promise<WithdrawalRow> {
  const [current] = await tx.select().from(withdrawal).where(eq(withdrawal.id, id)).for('update')
  if (!current) throw new ApiError('NOT_FOUND')
  const { memberId, no, version, status } = current
  if (status !== 'under_review' || current.approvedAt !== null) throw new ApiError('CONFLICT')
  await freezes.assertNotFrozen(memberId, tx)
  const set = { approvedAt: clock.now(), approvedBy: actor, version: version + 1 }
  await tx.update(withdrawal).set(set).where(eq(withdrawal.id, id))
  await actLog.write(tx, {
    actor,
    act: 'approve',
    subject: { kind: 'withdrawal', id },
    memberId,
    details: { no, ...known },
  })
  await within(tx)
  return { ...current, ...set }
}

/** The message to the member about a decision. */
function draftOf(row: WithdrawalRow): MessageDraft {
  const link = `pages/withdraw-list/withdraw-list?id=${row.id}` as const
  const params = { no: row.no, amount: formatMoney(minor(row.amount)) }
  const { memberId, reason } = row
  return reason === null
    ? { memberId, key: 'withdrawalSuccessful', params, link }
    : { memberId, key: 'withdrawalFailed', params: { ...params, reason }, link }
}
