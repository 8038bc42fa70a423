import { and, desc, eq, ne, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { minor } from '../../../contract/units.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { ReviewStatus } from '../../../contract/reviews.ts'
import {
  type ActDetails,
  decisionAct,
  toDecisionColumns,
  type Decision,
  upload,
  type MessageDraft,
} from '../../notices/index.ts'
import type { Db, DbTransaction, WithinTransaction } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import { deposit, type DepositRow } from '../schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import {
  matchesReview,
  toPagedList,
  type PagedList,
  type PageRequest,
  type ReviewFilter,
} from '../../platform/paging.ts'
import type { DepositsParts } from './depositsParts.ts'
import {
  officeDepositOf,
  creditDeposit,
  depositKeyOf,
  publishDeposit,
  type OfficeDeposit,
} from './depositView.ts'
import { reverseCredited } from './depositReversal.ts'

export type DepositOffice = {
  list(page: PageRequest, filter?: ReviewFilter<ReviewStatus>): Promise<PagedList<OfficeDeposit>>
  show(id: string): Promise<OfficeDeposit>
  /** Other deposits whose proof is the same picture, newest first. */
  withSameProof(id: string): Promise<SameProof[]>
  /** Whether another deposit was credited for the same picture. */
  isProofUsed(id: string): Promise<boolean>
  /**
   * Credits the deposit, or confirms one that waits for a second person; `within` runs in the same transaction, and
   * `known` is what else the row of the act log says.
   * These throw `NOT_FOUND`, or `CONFLICT` if it is already decided.
   */
  approve(id: string, actor: string, within?: WithinTransaction, known?: ActDetails): Promise<OfficeDeposit>
  /** Credits the deposit: it can be traded with, and waits for a second person. */
  credit(id: string, actor: string, known?: ActDetails): Promise<OfficeDeposit>
  reject(id: string, reason: string, actor: string): Promise<OfficeDeposit>
  /**
   * Rejects one that is credited and waits for a second person, and takes back what is there of it; `within` runs in the
   * same transaction. Throws `OPEN_ORDERS` while open orders hold what is missing.
   */
  reverse(id: string, reason: string, actor: string, within: WithinTransaction): Promise<OfficeDeposit>
}

export type SameProof = Pick<OfficeDeposit, 'id' | 'no' | 'memberId' | 'status'> & {
  account: string
  createdAt: number
}
const sameProofMax = 20

type Step = { actor: string; within?: WithinTransaction; known?: ActDetails | undefined } & (
  | { to: 'approve' | 'credit' }
  | { to: 'reject' | 'reverse'; reason: string }
)

/** The actions of customer service on deposits. */
export function createDepositOffice(parts: DepositsParts): DepositOffice {
  const { db, bus, ledger } = parts
  const decide = async (id: string, step: Step): Promise<OfficeDeposit> => {
    const { row, posted, notify } = await db.transaction(async (tx) => {
      const [current] = await tx.select().from(deposit).where(eq(deposit.id, id)).for('update')
      if (!current) throw new ApiError('NOT_FOUND')
      const done = await decideLocked(parts, tx, current, step)
      await step.within?.(tx)
      return done
    })
    publishDeposit(bus, ledger, row, posted)
    notify()
    return officeDepositOf(row)
  }
  return {
    list: async (page, filter = {}) => {
      const rows = await db
        .select()
        .from(deposit)
        .where(matchesReview(deposit, deposit.createdAt, filter, page))
        .orderBy(desc(deposit.createdAt), desc(deposit.id))
        .limit(page.limit + 1)
      return toPagedList(rows, page.limit, officeDepositOf, depositKeyOf)
    },
    show: async (id) => {
      const [row] = await db.select().from(deposit).where(eq(deposit.id, id))
      if (!row) throw new ApiError('NOT_FOUND')
      return officeDepositOf(row)
    },
    withSameProof: (id) => readSameProof(db, id),
    isProofUsed: async (id) => (await readSameProof(db, id, eq(deposit.status, 'successful'))).length > 0,
    approve: (id, actor, within, known) =>
      decide(id, { to: 'approve', actor, known, ...(within && { within }) }),
    credit: (id, actor, known) => decide(id, { to: 'credit', actor, known }),
    reject: (id, reason, actor) => decide(id, { to: 'reject', actor, reason }),
    reverse: (id, reason, actor, within) => decide(id, { to: 'reverse', actor, reason, within }),
  }
}

/** @throws ApiError `CONFLICT` if it is already decided otherwise */
async function decideLocked(parts: DepositsParts, tx: DbTransaction, current: DepositRow, step: Step) {
  if (step.to === 'reverse') {
    const { row, posted } = await reverseCredited(parts, tx, current, step)
    return { row, posted, notify: await parts.messages.send(tx, draftOf(row)) }
  }
  return step.to === 'approve' && current.awaitsSecond
    ? confirmCredited(parts, tx, current, step)
    : decideReviewed(parts, tx, current, step)
}

function readSameProof(db: Db, id: string, where?: SQL): Promise<SameProof[]> {
  const [own, proof, otherProof] = [
    alias(deposit, 'own'),
    alias(upload, 'proof'),
    alias(upload, 'other_proof'),
  ]
  return db
    .select({
      id: deposit.id,
      no: deposit.no,
      memberId: deposit.memberId,
      account: member.account,
      status: deposit.status,
      createdAt: deposit.createdAt,
    })
    .from(own)
    .innerJoin(proof, eq(proof.id, own.proofUploadId))
    .innerJoin(otherProof, and(eq(otherProof.contentHash, proof.contentHash), ne(otherProof.id, proof.id)))
    .innerJoin(deposit, eq(deposit.proofUploadId, otherProof.id))
    .innerJoin(member, eq(member.id, deposit.memberId))
    .where(and(eq(own.id, id), where))
    .orderBy(desc(deposit.createdAt), desc(deposit.id))
    .limit(sameProofMax)
}

/** Credits or rejects one that is under review. */
async function decideReviewed(
  { clock, ledger, actLog, messages }: DepositsParts,
  tx: DbTransaction,
  current: DepositRow,
  step: Exclude<Step, { to: 'reverse' }>,
) {
  const decision: Decision = { actor: step.actor, reason: step.to === 'reject' ? step.reason : null }
  const { reason } = decision
  const set = {
    status: reason === null ? 'successful' : 'failed',
    awaitsSecond: step.to === 'credit',
    ...toDecisionColumns(current, decision, clock),
  } as const
  const { id, no, memberId } = current
  await tx.update(deposit).set(set).where(eq(deposit.id, id))
  const row: DepositRow = { ...current, ...set }
  const details = {
    no,
    ...(reason !== null && { reason }),
    ...(row.awaitsSecond && { awaits: 'second person' }),
    ...step.known,
  }
  await actLog.write(tx, {
    actor: step.actor,
    act: decisionAct(reason),
    subject: { kind: 'deposit', id },
    memberId,
    details,
  })
  const posted = reason === null ? await creditDeposit(tx, ledger, row) : null
  return { row, posted, notify: await messages.send(tx, draftOf(row)) }
}

/** The second person's word about one that is credited: no money moves. */
async function confirmCredited(
  { clock, actLog }: DepositsParts,
  tx: DbTransaction,
  current: DepositRow,
  { actor, known }: Pick<Step, 'actor' | 'known'>,
) {
  const set = {
    awaitsSecond: false,
    confirmedAt: clock.now(),
    confirmedBy: actor,
    version: current.version + 1,
  }
  const { id, no, memberId } = current
  await tx.update(deposit).set(set).where(eq(deposit.id, id))
  await actLog.write(tx, {
    actor,
    act: 'approve',
    subject: { kind: 'deposit', id },
    memberId,
    details: { no, creditedBy: current.decidedBy, ...known },
  })
  return { row: { ...current, ...set }, posted: null, notify: () => undefined }
}

/** The message to the member about a decision. */
function draftOf(row: DepositRow): MessageDraft {
  const { memberId, reason, reversed } = row
  const to = { memberId, link: `pages/withdraw-list/withdraw-open?id=${row.id}` } as const
  const params = { no: row.no, amount: formatMoney(minor(row.amount)) }
  if (reason === null) return { ...to, key: 'depositSuccessful', params }
  return reversed === null
    ? { ...to, key: 'depositFailed', params: { ...params, reason } }
    : {
        ...to,
        key: 'depositReversed',
        params: { ...params, reversed: formatMoney(minor(reversed)), reason },
      }
}
