import { and, eq, gt, inArray, isNull, lte } from 'drizzle-orm'
import type { UploadPurpose } from '../../contract/uploads.ts'
import { dayMs } from '../../contract/time.ts'
import type { Audit } from '../audit/audit.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { upload } from '../db/schema/upload.ts'
import type { UploadRow } from '../db/schema/upload.ts'
import { ApiError } from '../apiError.ts'
import type { Clock, Random } from '../ports.ts'
import type { UploadFiles } from './files.ts'
import { reencodePicture } from './picture.ts'
import type { Picture } from './picture.ts'

/** An upload that is not used within this time is removed. */
const unusedTtlMs = dayMs
/** The member who sent a picture may view these; photos of identity documents are only for the back office. */
const viewableByMember: readonly UploadPurpose[] = ['service', 'deposit_proof']
const sweepBatchSize = 500

/** The one use of an upload; it is recorded in the transaction of the use. */
export type UploadUse = {
  id: string
  memberId: string
  purpose: UploadPurpose
  by: { kind: string; id: string }
}

/** Pictures of members: encoded again, encrypted, and either used once or removed. */
export type Uploads = {
  /** Throws 415 `FILE_TYPE`. */
  add(memberId: string, purpose: UploadPurpose, content: Uint8Array): Promise<{ uploadId: string }>
  /** Marks an upload as used. Returns false if the member has no such unused upload. */
  use(tx: DbTransaction, use: UploadUse): Promise<boolean>
  /** A member's own picture; throws 404 for photos of identity documents and for uploads of other members. */
  view(memberId: string, id: string): Promise<Picture>
  /** Any picture, for customer service; each view writes an audit row. */
  viewForBackOffice(id: string, actor: string): Promise<Picture>
  /** Removes the picture of a used upload; its row stays. Returns whether it still existed. */
  remove(id: string, fence: Fence): Promise<boolean>
  /** Removes uploads that were not used in time and returns how many. */
  removeUnused(fence: Fence): Promise<number>
  /** Removes files without a row, which a stop between the two steps leaves. Call it only while no upload is running. */
  removeOrphans(): Promise<void>
}

export type UploadsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  files: UploadFiles
  audit: Audit
}

export function createUploads({ db, clock, random, files, audit }: UploadsParts): Uploads {
  const read = async (row: UploadRow | undefined): Promise<Picture> => {
    if (!row) throw new ApiError(404, 'NOT_FOUND')
    return { type: row.type, data: await files.read(row.id) }
  }
  return {
    add: async (memberId, purpose, content) => {
      const { type, data } = await reencodePicture(content)
      const id = random.uuid()
      await files.write(id, data)
      const bytes = data.length
      await db.insert(upload).values({ id, memberId, purpose, type, bytes, createdAt: clock.now() })
      return { uploadId: id }
    },
    use: async (tx, { id, memberId, purpose, by }) => {
      const now = clock.now()
      const used = await tx
        .update(upload)
        .set({ usedAt: now, usedByKind: by.kind, usedById: by.id })
        .where(
          and(
            eq(upload.id, id),
            eq(upload.memberId, memberId),
            eq(upload.purpose, purpose),
            isNull(upload.usedAt),
            gt(upload.createdAt, now - unusedTtlMs),
          ),
        )
        .returning({ id: upload.id })
      return used.length > 0
    },
    view: async (memberId, id) => {
      const own = and(
        eq(upload.id, id),
        eq(upload.memberId, memberId),
        inArray(upload.purpose, [...viewableByMember]),
      )
      const [row] = await db.select().from(upload).where(own)
      return read(row)
    },
    viewForBackOffice: async (id, actor) => {
      const [row] = await db
        .select()
        .from(upload)
        .where(and(eq(upload.id, id), isNull(upload.removedAt)))
      if (!row) throw new ApiError(404, 'NOT_FOUND')
      const { memberId, purpose } = row
      // Written first: no view without an audit row, even if reading the file then fails.
      await audit.write(db, {
        actor,
        act: 'view',
        subject: { kind: 'upload', id },
        memberId,
        details: { purpose },
      })
      return read(row)
    },
    remove: async (id, fence) => {
      // The row first: a stop in between leaves a file, which `removeOrphans` removes, never a row without its file.
      const marked = await fence.transaction(db, (tx) =>
        tx
          .update(upload)
          .set({ removedAt: clock.now() })
          .where(and(eq(upload.id, id), isNull(upload.removedAt)))
          .returning({ id: upload.id }),
      )
      if (marked.length === 0) return false
      await files.remove(id)
      return true
    },
    removeUnused: async (fence) => {
      const old = and(isNull(upload.usedAt), lte(upload.createdAt, clock.now() - unusedTtlMs))
      const due = await db.select({ id: upload.id }).from(upload).where(old).limit(sweepBatchSize)
      let removed = 0
      for (const { id } of due) {
        const deleted = await fence.transaction(db, (tx) =>
          tx
            .delete(upload)
            .where(and(eq(upload.id, id), isNull(upload.usedAt)))
            .returning({ id: upload.id }),
        )
        if (deleted.length === 0) continue
        await files.remove(id)
        removed += 1
      }
      return removed
    },
    removeOrphans: async () => {
      const ids = await files.ids()
      for (let from = 0; from < ids.length; from += sweepBatchSize) {
        const batch = ids.slice(from, from + sweepBatchSize)
        const rows = await db
          .select({ id: upload.id })
          .from(upload)
          .where(and(inArray(upload.id, batch), isNull(upload.removedAt)))
        const known = new Set(rows.map(({ id }) => id))
        for (const id of batch) if (!known.has(id)) await files.remove(id)
      }
    },
  }
}
