import { and, desc, eq, or } from 'drizzle-orm'
import type { Audit } from '../audit/audit.ts'
import { decisionAuditAct, toDecisionColumns } from '../audit/decision.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import { upload } from '../db/schema/upload.ts'
import { verification } from '../db/schema/verification.ts'
import type { VerificationRow } from '../db/schema/verification.ts'
import { ApiError } from '../apiError.ts'
import type { MessageDraft, Messages } from '../messages/messages.ts'
import { matchesReview, toPagedList } from '../paging.ts'
import type { PagedList, PageRequest, ReviewFilter } from '../paging.ts'
import type { Clock } from '../ports.ts'
import type { Vault } from '../vault.ts'

/** A submission in the back office's list; name and id number are only in `show`. */
export type BackOfficeVerification = Omit<VerificationRow, 'personSealed'> & {
  /** When the photos of a rejected submission were removed. */
  photosRemovedAt: number | null
}
export type VerificationDetails = BackOfficeVerification & { name: string; idNumber: string }

/** What customer service does with submissions. An id is that of a submission, or of a member for the newest one. */
export type VerificationBackOffice = {
  list(
    page: PageRequest,
    filter?: ReviewFilter<VerificationRow['status']>,
  ): Promise<PagedList<BackOfficeVerification>>
  /** With name and id number; each view writes an audit row. For the photos see `Uploads.viewForBackOffice`. */
  show(id: string, actor: string): Promise<VerificationDetails>
  /** Takes a verification back: the member gets the reason and may submit again. Throws `CONFLICT` if it is none. */
  revoke(id: string, reason: string, actor: string): Promise<BackOfficeVerification>
  /** The name of a verified member; null for others. The caller writes the audit row. */
  verifiedName(memberId: string): Promise<string | null>
  /** The submission that an id means. Throws `NOT_FOUND`. */
  idOf(id: string): Promise<string>
  /** Throws `NOT_FOUND`, or `CONFLICT` if it is already decided. */
  approve(id: string, actor: string): Promise<BackOfficeVerification>
  /** The member sees the reason and may submit again. */
  reject(id: string, reason: string, actor: string): Promise<BackOfficeVerification>
}

type Parts = {
  db: Db
  clock: Pick<Clock, 'now'>
  vault: Vault
  audit: Audit
  messages: Pick<Messages, 'send'>
  publish: (row: VerificationRow) => void
}

export function createVerificationBackOffice(parts: Parts): VerificationBackOffice {
  const { db, clock, vault, audit, messages, publish } = parts
  const personOf = ({ id, personSealed }: VerificationRow) =>
    JSON.parse(vault.decrypt(personSealed, id).toString()) as { name: string; idNumber: string }
  const decide = async (
    id: string,
    actor: string,
    reason: string | null,
    act: 'revoke' | null = null,
  ): Promise<BackOfficeVerification> => {
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
      await audit.write(tx, {
        actor,
        act: act ?? decisionAuditAct(reason),
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
    show: async (id, actor) => {
      const { row, photosRemovedAt } = await findSubmission(db, id)
      const { memberId } = row
      await audit.write(db, { actor, act: 'view', subject: { kind: 'verification', id: row.id }, memberId })
      return { ...toListItem(row, photosRemovedAt), ...personOf(row) }
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
): Promise<PagedList<BackOfficeVerification>> {
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

function toListItem(row: VerificationRow, photosRemovedAt: number | null): BackOfficeVerification {
  const { id, memberId, status, nationality, frontUploadId, backUploadId } = row
  const { reason, submittedAt, decidedAt, decidedBy, version } = row
  const decision = { reason, submittedAt, decidedAt, decidedBy, version }
  return { id, memberId, status, nationality, frontUploadId, backUploadId, photosRemovedAt, ...decision }
}
