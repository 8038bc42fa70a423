import { and, desc, eq, ne, or, sql } from 'drizzle-orm'
import {
  type ActLog,
  decisionAct,
  toDecisionColumns,
  upload,
  type MessageDraft,
  type Messages,
} from '../../notices/index.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import { verification, type VerificationRow } from '../schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import {
  matchesReview,
  toPagedList,
  type PagedList,
  type PageRequest,
  type ReviewFilter,
} from '../../platform/paging.ts'
import type { Clock } from '../../platform/ports.ts'
import type { Vault } from '../../platform/vault.ts'

/** A submission in the office's list; name and id number are only in `show`. */
export type OfficeVerification = Omit<VerificationRow, 'personSealed'> & {
  /** When the photos of a rejected submission were removed. */
  photosRemovedAt: number | null
}
export type RevokedPerson = { name: string; idNumber: string; revokedBy: string | null }
export type VerificationDetails = OfficeVerification & { name: string; idNumber: string }

/** The actions of customer service on submissions. An id is that of a submission, or of a member for the newest one. */
export type VerificationOffice = {
  list(
    page: PageRequest,
    filter?: ReviewFilter<VerificationRow['status']>,
  ): Promise<PagedList<OfficeVerification>>
  /** With name and id number; the caller writes the row of the act log. For the photos see `Uploads.viewForOffice`. */
  show(id: string): Promise<VerificationDetails>
  /**
   * Revokes a verification: the member gets the reason and may submit again. Throws `CONFLICT` if the member is not
   * verified.
   */
  revoke(id: string, reason: string, actor: string): Promise<OfficeVerification>
  /** The name of a verified member; null for others. The caller writes the row of the act log. */
  verifiedName(memberId: string): Promise<string | null>
  /** The last submission of a member that was verified and revoked, other than this one. The caller writes the row of the act log. */
  revoked(of: { id: string; memberId: string }): Promise<RevokedPerson | null>
  /** The submission that an id means. Throws `NOT_FOUND`. */
  idOf(id: string): Promise<string>
  /** Throws `NOT_FOUND`, or `CONFLICT` if it is already decided. */
  approve(id: string, actor: string): Promise<OfficeVerification>
  /** The member sees the reason and may submit again. */
  reject(id: string, reason: string, actor: string): Promise<OfficeVerification>
}

type Parts = {
  db: Db
  clock: Pick<Clock, 'now'>
  vault: Vault
  actLog: ActLog
  messages: Pick<Messages, 'send'>
  publish: (row: VerificationRow) => void
}

export function createVerificationOffice(parts: Parts): VerificationOffice {
  const { db, clock, vault, actLog, messages, publish } = parts
  const personOf = ({ id, personSealed }: VerificationRow) =>
    JSON.parse(vault.decrypt(personSealed, id).toString()) as { name: string; idNumber: string }
  const decide = async (
    id: string,
    actor: string,
    reason: string | null,
    act: 'revoke' | null = null,
  ): Promise<OfficeVerification> => {
    const { row, notify } = await db.transaction(async (tx) => {
      const { memberId } = (await findSubmission(tx, id)).row
      // Locks the member first, then the row, in the same order as a submission, so that they cannot deadlock.
      await tx.select({ id: member.id }).from(member).where(eq(member.id, memberId)).for('no key update')
      const { row: submission } = await findSubmission(tx, id)
      const status = reason === null ? 'verified' : 'rejected'
      if (act === 'revoke' && submission.status !== 'verified') throw new ApiError('CONFLICT')
      const decidable = act === 'revoke' ? { ...submission, status: 'under_review' } : submission
      const set = { status, ...toDecisionColumns(decidable, { actor, reason }, clock) } as const
      await tx.update(verification).set(set).where(eq(verification.id, submission.id))
      await tx.update(member).set({ verification: status }).where(eq(member.id, memberId))
      await actLog.write(tx, {
        actor,
        act: act ?? decisionAct(reason),
        subject: { kind: 'verification', id: submission.id },
        memberId,
        ...(reason !== null && { details: { reason } }),
      })
      const link = 'pages/verify/verify'
      const draft: MessageDraft =
        reason === null
          ? { memberId, key: 'verificationSuccessful', params: {}, link }
          : { memberId, key: 'verificationFailed', params: { reason }, link }
      const decided: VerificationRow = { ...submission, ...set }
      return { row: decided, notify: await messages.send(tx, draft) }
    })
    publish(row)
    notify()
    return toListItem(row, null)
  }

  return {
    list: (page, filter) => listSubmissions(db, page, filter),
    show: async (id) => {
      const { row, photosRemovedAt } = await findSubmission(db, id)
      return { ...toListItem(row, photosRemovedAt), ...personOf(row) }
    },
    revoked: async ({ id, memberId }) => {
      const isRevoked = sql`EXISTS (SELECT FROM audit a WHERE a.act = 'revoke' AND a.subject_kind = 'verification'
        AND a.subject_id = ${verification.id} AND a.member_id = ${memberId})`
      const [row] = await db
        .select()
        .from(verification)
        .where(and(eq(verification.memberId, memberId), ne(verification.id, id), isRevoked))
        .orderBy(desc(verification.version))
        .limit(1)
      return row ? { ...personOf(row), revokedBy: row.decidedBy } : null
    },
    idOf: async (id) => (await findSubmission(db, id)).row.id,
    approve: (id, actor) => decide(id, actor, null),
    reject: (id, reason, actor) => decide(id, actor, reason),
    revoke: (id, reason, actor) => decide(id, actor, reason, 'revoke'),
    verifiedName: async (memberId) => {
      const isVerified = and(eq(verification.memberId, memberId), eq(verification.status, 'verified'))
      const [row] = await db.select().from(verification).where(isVerified)
      return row ? personOf(row).name : null
    },
  }
}

async function listSubmissions(
  db: Db,
  page: PageRequest,
  filter: ReviewFilter<VerificationRow['status']> = {},
): Promise<PagedList<OfficeVerification>> {
  const rows = await withPhotos(db)
    .where(matchesReview(verification, verification.submittedAt, filter, page))
    .orderBy(desc(verification.submittedAt), desc(verification.id))
    .limit(page.limit + 1)
  return toPagedList(
    rows,
    page.limit,
    ({ row, photosRemovedAt }) => toListItem(row, photosRemovedAt),
    ({ row }) => [row.submittedAt, row.id],
  )
}

type WithPhotos = { row: VerificationRow; photosRemovedAt: number | null }

/** Both photos are removed together, so the upload of the front is enough. */
const withPhotos = (on: Db | DbTransaction) =>
  on
    .select({ row: verification, photosRemovedAt: upload.removedAt })
    .from(verification)
    .innerJoin(upload, eq(upload.id, verification.frontUploadId))

async function findSubmission(on: Db | DbTransaction, id: string): Promise<WithPhotos> {
  const [submission] = await withPhotos(on)
    .where(or(eq(verification.id, id), eq(verification.memberId, id)))
    .orderBy(desc(verification.version))
    .limit(1)
  if (!submission) throw new ApiError('NOT_FOUND')
  return submission
}

function toListItem(row: VerificationRow, photosRemovedAt: number | null): OfficeVerification {
  const { id, memberId, status, nationality, frontUploadId, backUploadId } = row
  const { reason, submittedAt, decidedAt, decidedBy, version } = row
  const decision = { reason, submittedAt, decidedAt, decidedBy, version }
  return { id, memberId, status, nationality, frontUploadId, backUploadId, photosRemovedAt, ...decision }
}
