import { and, desc, eq, or } from 'drizzle-orm'
import type { Audit } from '../audit/audit.ts'
import { decisionAct, decisionOf } from '../audit/decision.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import { upload } from '../db/schema/upload.ts'
import { verification } from '../db/schema/verification.ts'
import type { VerificationRow } from '../db/schema/verification.ts'
import { Refusal } from '../http/refusal.ts'
import type { Draft, Messages } from '../messages/messages.ts'
import { below, pageOf } from '../pages.ts'
import type { List, Page } from '../pages.ts'
import type { Clock } from '../ports.ts'
import type { Vault } from '../vault.ts'

/** A submission as the desk's list shows it; who it is stands only in `show`. */
export type DeskVerification = Omit<VerificationRow, 'personSealed'> & {
  /** Since when the photos of a rejected submission are gone. */
  photosRemovedAt: number | null
}
export type ShownVerification = DeskVerification & { name: string; idNumber: string }

/** What customer service does with submissions. Ids are those of submissions, or of members for their newest. */
export type VerificationDesk = {
  list(page: Page, status?: VerificationRow['status']): Promise<List<DeskVerification>>
  /** With name and number; each look is an audit row. The photos are shown by `Uploads.viewForDesk`. */
  show(id: string, actor: string): Promise<ShownVerification>
  /** Throws 404, or 409 `CONFLICT` where it is decided already. */
  approve(id: string, actor: string): Promise<DeskVerification>
  /** The member sees the reason and may submit again. */
  reject(id: string, reason: string, actor: string): Promise<DeskVerification>
}

type Parts = {
  db: Db
  clock: Pick<Clock, 'now'>
  vault: Vault
  audit: Audit
  messages: Pick<Messages, 'send'>
  told: (row: VerificationRow) => void
}

export function createVerificationDesk(parts: Parts): VerificationDesk {
  const { db, clock, vault, audit, messages, told } = parts
  const decide = async (id: string, actor: string, reason: string | null): Promise<DeskVerification> => {
    const { row, note } = await db.transaction(async (tx) => {
      const { memberId } = (await find(tx, id)).row
      // As a submission does: member first, then the row, so that neither waits for the other.
      await tx.select({ id: member.id }).from(member).where(eq(member.id, memberId)).for('no key update')
      const { row: found } = await find(tx, id)
      const status = reason === null ? 'verified' : 'rejected'
      const set = { status, ...decisionOf(found, { actor, reason }, clock) } as const
      await tx.update(verification).set(set).where(eq(verification.id, found.id))
      await tx.update(member).set({ verification: status }).where(eq(member.id, memberId))
      await audit.write(tx, {
        actor,
        act: decisionAct(reason),
        subject: { kind: 'verification', id: found.id },
        memberId,
        ...(reason !== null && { details: { reason } }),
      })
      const link = 'pages/verify/verify'
      const draft: Draft =
        reason === null
          ? { memberId, key: 'verificationSuccessful', params: {}, link }
          : { memberId, key: 'verificationFailed', params: { reason }, link }
      const decided: VerificationRow = { ...found, ...set }
      return { row: decided, note: await messages.send(tx, draft) }
    })
    told(row)
    note()
    return listed(row, null)
  }

  return {
    list: async (page, status) => {
      const rows = await withPhotos(db)
        .where(
          and(
            status && eq(verification.status, status),
            below(verification.submittedAt, verification.id, page),
          ),
        )
        .orderBy(desc(verification.submittedAt), desc(verification.id))
        .limit(page.limit + 1)
      return pageOf(
        rows,
        page.limit,
        ({ row, photosRemovedAt }) => listed(row, photosRemovedAt),
        ({ row }) => [row.submittedAt, row.id],
      )
    },
    show: async (id, actor) => {
      const { row, photosRemovedAt } = await find(db, id)
      const { memberId } = row
      await audit.write(db, { actor, act: 'view', subject: { kind: 'verification', id: row.id }, memberId })
      const person = JSON.parse(vault.open(row.personSealed, row.id).toString()) as {
        name: string
        idNumber: string
      }
      return { ...listed(row, photosRemovedAt), ...person }
    },
    approve: (id, actor) => decide(id, actor, null),
    reject: (id, reason, actor) => decide(id, actor, reason),
  }
}

type WithPhotos = { row: VerificationRow; photosRemovedAt: number | null }

/** Both photos go at once: what is true of the front is true of the back. */
const withPhotos = (on: Db | DbTransaction) =>
  on
    .select({ row: verification, photosRemovedAt: upload.removedAt })
    .from(verification)
    .innerJoin(upload, eq(upload.id, verification.frontUploadId))

async function find(on: Db | DbTransaction, id: string): Promise<WithPhotos> {
  const [found] = await withPhotos(on)
    .where(or(eq(verification.id, id), eq(verification.memberId, id)))
    .orderBy(desc(verification.version))
    .limit(1)
  if (!found) throw new Refusal(404, 'NOT_FOUND')
  return found
}

function listed(row: VerificationRow, photosRemovedAt: number | null): DeskVerification {
  const { id, memberId, status, nationality, frontUploadId, backUploadId } = row
  const { reason, submittedAt, decidedAt, decidedBy, version } = row
  const decision = { reason, submittedAt, decidedAt, decidedBy, version }
  return { id, memberId, status, nationality, frontUploadId, backUploadId, photosRemovedAt, ...decision }
}
