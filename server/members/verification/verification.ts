import { and, desc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { epochMs } from '../../../contract/units.ts'
import { kept } from '../../../contract/retention.ts'
import { minuteMs } from '../../../contract/time.ts'
import { idNumberRule, nameRule, type ChineseNames } from '../../../contract/rules.ts'
import { verificationRoutes, type Verification } from '../../../contract/verification.ts'
import type { ActLog, Messages, Uploads } from '../../notices/index.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { member } from '../../platform/db/schema.ts'
import { verification, type VerificationRow } from '../schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Job } from '../../platform/jobs.ts'
import type { Module } from '../../platform/module.ts'
import type { Clock, MemberBus, Random } from '../../platform/ports.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createSealedIndex, type SealedRow } from '../../platform/sealedIndex.ts'
import { createVault, type Vault } from '../../platform/vault.ts'
import { createVerificationOffice, type VerificationOffice } from './verificationOffice.ts'
import { removeRejectedPhotos } from './photoRetention.ts'
import type { MembersConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

/** Who the member claims to be; encrypted as one text. */
export type Person = { name: string; idNumber: string }
export type Submission = Person & { nationality: string; frontUploadId: string; backUploadId: string }

/** Real-name verification: the member submits, customer service decides, and after a rejection the member may resubmit. */
export type Verifications = {
  show(memberId: string): Promise<Verification>
  /** Throws `NAME_FORMAT` / `ID_FORMAT` / `PHOTO_REQUIRED`, `ALREADY_PENDING` / `ALREADY_VERIFIED`. */
  submit(memberId: string, submission: Submission): Promise<{ status: 'under_review'; submittedAt: number }>
  office: VerificationOffice
  /** Erases who a closed account's member was. */
  erase(tx: DbTransaction, memberId: string): Promise<void>
}

export type VerificationParts = {
  db: Db
  /** Used by the job. */
  fence: Fence
  clock: Pick<Clock, 'now'>
  random: Random
  bus: MemberBus
  uploads: Pick<Uploads, 'use' | 'remove'>
  actLog: ActLog
  messages: Pick<Messages, 'send'>
  secrets: Pick<Secrets, 'uploadKey'>
  settings: OperatorSettings<MembersConfig, 'rejectedPhotosKeptDays' | 'chineseNames'>
}

const removePhotosEveryMs = 10 * minuteMs

export function createVerifications(parts: VerificationParts): Verifications & Module {
  const { db, clock, random, bus, uploads } = parts
  const vault = createVault(parts.secrets.uploadKey, 'verification', random)
  const sealedIndex = createSealedIndex(parts.secrets.uploadKey)
  /** Marks both photos as used; throws with the fields of those that are not unused photos of the member. */
  const usePhotos = async (tx: DbTransaction, memberId: string, id: string, submission: Submission) => {
    const by = { kind: 'verification', id }
    const front = { id: submission.frontUploadId, memberId, sentBy: null, purpose: 'id_front', by } as const
    const back = { id: submission.backUploadId, memberId, sentBy: null, purpose: 'id_back', by } as const
    const fields = {
      ...(!(await uploads.use(tx, front)) && { frontUploadId: 'PHOTO_REQUIRED' }),
      ...(!(await uploads.use(tx, back)) && { backUploadId: 'PHOTO_REQUIRED' }),
    }
    if (Object.keys(fields).length > 0) throw new ApiError('VALIDATION', { fields })
  }

  const verifications: Verifications = {
    show: async (memberId) => viewOf(await newestSubmission(db, memberId)),
    submit: async (memberId, submission) => {
      assertValidForm(submission, parts.settings.operatorConfig.chineseNames)
      const row = await db.transaction(async (tx) => {
        // One submission of a member at a time.
        await tx.select({ id: member.id }).from(member).where(eq(member.id, memberId)).for('no key update')
        const before = await newestSubmission(tx, memberId)
        if (before?.status === 'under_review') throw new ApiError('ALREADY_PENDING')
        if (before?.status === 'verified') throw new ApiError('ALREADY_VERIFIED')
        const id = random.uuid()
        await usePhotos(tx, memberId, id, submission)
        const { name, idNumber, nationality, frontUploadId, backUploadId } = submission
        const person: Person = { name, idNumber }
        const values = {
          status: 'under_review',
          id,
          memberId,
          nationality,
          frontUploadId,
          backUploadId,
          personSealed: vault.encrypt(JSON.stringify(person), id),
          submittedAt: clock.now(),
          version: (before?.version ?? 0) + 1,
        } as const
        const [written] = await tx.insert(verification).values(values).returning()
        if (!written) throw new Error('The insert of a submission returned no row.')
        await sealedIndex.add(tx, sealedRowOf(written, person))
        await tx.update(member).set({ verification: 'under_review' }).where(eq(member.id, memberId))
        return written
      })
      bus.emit(memberId, 'verification', viewOf(row))
      return { status: 'under_review', submittedAt: row.submittedAt }
    },
    erase: (tx, memberId) => erasePersons(vault, tx, memberId),
    office: createVerificationOffice({
      ...parts,
      vault,
      publish: (row) => bus.emit(row.memberId, 'verification', viewOf(row)),
    }),
  }
  return {
    ...verifications,
    mount: (app) => mountRoutes(app, verifications),
    jobs: [photosJob(parts)],
  }
}

function photosJob(parts: VerificationParts): Job {
  const retentionMs = kept(parts.settings.operatorConfig.rejectedPhotosKeptDays, 'day').ms
  return {
    name: 'remove photos of rejected verifications',
    everyMs: removePhotosEveryMs,
    run: () => removeRejectedPhotos({ ...parts, retentionMs }),
  }
}

async function erasePersons(vault: Vault, tx: DbTransaction, memberId: string): Promise<void> {
  const rows = await tx.select().from(verification).where(eq(verification.memberId, memberId))
  const nobody: Person = { name: '', idNumber: '' }
  for (const { id } of rows) {
    const personSealed = vault.encrypt(JSON.stringify(nobody), id)
    await tx.update(verification).set({ personSealed }).where(eq(verification.id, id))
  }
}

const sealedRowOf = ({ id, memberId }: VerificationRow, { name, idNumber }: Person): SealedRow => ({
  id,
  memberId,
  fields: { name: [name], idNumber: [idNumber] },
})

/** Real-name verification: show and submit. */
function mountRoutes(app: FastifyInstance, verifications: Verifications): void {
  mount(app, verificationRoutes.verification, ({ member }) => verifications.show(member.memberId))
  mount(app, verificationRoutes.submitVerification, ({ member, body }) =>
    verifications.submit(member.memberId, body),
  )
}

/** The member's newest submission, which decides the member's status. */
async function newestSubmission(
  on: Db | DbTransaction,
  memberId: string,
): Promise<VerificationRow | undefined> {
  const [row] = await on
    .select()
    .from(verification)
    .where(and(eq(verification.memberId, memberId)))
    .orderBy(desc(verification.version))
    .limit(1)
  return row
}

/** Checks name and id number by the rules of the nationality; both errors are reported at once. */
function assertValidForm({ name, idNumber, nationality }: Submission, chineseNames: ChineseNames): void {
  const nameError = nameRule(name, nationality, chineseNames)
  const idError = idNumberRule(idNumber, nationality)
  if (!nameError && !idError) return
  const fields = { ...(nameError && { name: nameError }), ...(idError && { idNumber: idError }) }
  throw new ApiError('VALIDATION', { fields })
}

function viewOf(row: VerificationRow | undefined): Verification {
  if (!row) return { status: 'none', reason: null, submittedAt: null, decidedAt: null, version: 0 }
  const { status, reason, submittedAt, decidedAt, version } = row
  return { status, reason, submittedAt: epochMs(submittedAt), decidedAt: epochMs(decidedAt), version }
}
