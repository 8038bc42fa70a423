import { desc, eq } from 'drizzle-orm'
import type { ReviewStatus } from '../../../contract/reviews.ts'
import { type ActLog, decisionAct, toDecisionColumns, type Messages } from '../../notices/index.ts'
import type { Db, DbTransaction, WithinTransaction } from '../../platform/db/database.ts'
import { passwordRequest, type PasswordRequestRow } from '../schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import {
  matchesReview,
  toPagedList,
  type PagedList,
  type PageRequest,
  type ReviewFilter,
} from '../../platform/paging.ts'
import type { Clock } from '../../platform/ports.ts'
import { passwordPageLink, type PasswordHashChange } from './passwordChange.ts'
import type { PasswordRecovery, RecoveryLink } from './passwordRecovery.ts'
import type { FirstCode } from './recoveryFirstCode.ts'

/** A request as the office sees it, without the password or its hash. */
export type OfficePasswordRequest = Omit<PasswordRequestRow, 'newHash' | 'sessionId'>

type Approval = { called?: boolean; firstCodeHash?: string | undefined }

/** What customer service does with requests for new passwords. */
export type PasswordRequestOffice = {
  list(page: PageRequest, filter?: ReviewFilter<ReviewStatus>): Promise<PagedList<OfficePasswordRequest>>
  show(id: string): Promise<OfficePasswordRequest>
  /** For a proposal to approve a forgotten one: the code for its first person, and the hash that is kept with the proposal. */
  newFirstCode(id: string): FirstCode
  /**
   * The new password takes effect and the member's other sessions end; of a recovery, the link to set one is issued, and
   * only this answer has it. The act log says if the member was `called`, and the link asks for the code of
   * `firstCodeHash`, if two approve it. Throws `NOT_FOUND`, or `CONFLICT`.
   */
  approve(
    id: string,
    actor: string,
    within?: WithinTransaction,
    how?: Approval,
  ): Promise<OfficePasswordRequest & Partial<RecoveryLink>>
  reject(id: string, reason: string, actor: string): Promise<OfficePasswordRequest>
}

type Parts = {
  db: Db
  clock: Pick<Clock, 'now'>
  actLog: ActLog
  messages: Pick<Messages, 'send'>
  /** Returns the function that notifies the member; call it after the commit. */
  applyChange: (tx: DbTransaction, change: PasswordHashChange) => Promise<() => void>
  endOtherSessions: (memberId: string, sessionId: string) => Promise<void>
  recovery: Pick<PasswordRecovery, 'issueLink' | 'firstCodes'>
}

export function createPasswordRequestOffice(parts: Parts): PasswordRequestOffice {
  const { db, clock, actLog, messages, applyChange, endOtherSessions, recovery } = parts

  const decide = async (
    id: string,
    actor: string,
    reason: string | null,
    within?: WithinTransaction,
    { called = false, firstCodeHash }: Approval = {},
  ): Promise<OfficePasswordRequest & Partial<RecoveryLink>> => {
    const { row, link, notify } = await db.transaction(async (tx) => {
      const [request] = await tx
        .select()
        .from(passwordRequest)
        .where(eq(passwordRequest.id, id))
        .for('update')
      if (!request) throw new ApiError('NOT_FOUND')
      await within?.(tx)
      const { memberId, kind, newHash } = request
      const set = {
        status: reason === null ? 'successful' : 'failed',
        newHash: null,
        ...toDecisionColumns(request, { actor, reason }, clock),
      } as const
      await tx.update(passwordRequest).set(set).where(eq(passwordRequest.id, id))
      const act = decisionAct(reason)
      const subject = { kind: 'password-request', id }
      const details = {
        kind,
        ...(request.recovery && { recovery: true }),
        ...(called && { called }),
        ...(reason !== null && { reason }),
      }
      await actLog.write(tx, { actor, act, subject, memberId, details })
      const link =
        request.recovery && reason === null ? await recovery.issueLink(tx, request, firstCodeHash) : undefined
      if (link) return { row: { ...request, ...set }, link, notify: () => undefined }
      const pendingNotification =
        reason === null
          ? applyChange(tx, { memberId, kind, newHash: newHash ?? missing() })
          : messages.send(tx, {
              memberId,
              key: 'passwordRequestFailed',
              params: { kind, reason },
              link: passwordPageLink,
            })
      const decided: PasswordRequestRow = { ...request, ...set }
      return { row: decided, link, notify: await pendingNotification }
    })
    notify()
    if (reason === null && row.sessionId !== null) await endOtherSessions(row.memberId, row.sessionId)
    return { ...toListItem(row), ...link }
  }

  return {
    list: (page, filter) => listRequests(db, page, filter),
    show: async (id) => {
      const [row] = await db.select().from(passwordRequest).where(eq(passwordRequest.id, id))
      if (!row) throw new ApiError('NOT_FOUND')
      return toListItem(row)
    },
    newFirstCode: recovery.firstCodes.make,
    approve: (id, actor, within, how) => decide(id, actor, null, within, how),
    reject: (id, reason, actor) => decide(id, actor, reason),
  }
}

async function listRequests(
  db: Db,
  page: PageRequest,
  filter: ReviewFilter<ReviewStatus> = {},
): Promise<PagedList<OfficePasswordRequest>> {
  const rows = await db
    .select()
    .from(passwordRequest)
    .where(matchesReview(passwordRequest, passwordRequest.createdAt, filter, page))
    .orderBy(desc(passwordRequest.createdAt), desc(passwordRequest.id))
    .limit(page.limit + 1)
  return toPagedList(rows, page.limit, toListItem, (row) => [row.createdAt, row.id])
}

function toListItem(row: PasswordRequestRow): OfficePasswordRequest {
  const { newHash: _newHash, sessionId: _sessionId, ...shown } = row
  return shown
}

function missing(): never {
  throw new Error('The password request under review has no hash.')
}
