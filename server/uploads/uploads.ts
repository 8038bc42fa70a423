import { and, eq, gt, inArray, isNull, lte } from 'drizzle-orm'
import type { UploadPurpose } from '../../contract/wallet.ts'
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

/** An upload that nothing used by then is removed. */
const unusedTtlMs = 24 * 60 * 60_000
/** Photos of identity papers are for the desk's eyes alone; these come back to the member who sent them. */
const viewableByMember: readonly UploadPurpose[] = ['service', 'deposit_proof']
const sweepBatchSize = 500

/** What uses an upload up: once, and only together with its own transaction. */
export type UploadUse = {
  id: string
  memberId: string
  purpose: UploadPurpose
  by: { kind: string; id: string }
}

/** Pictures of members: written anew, encrypted, used up by one thing or removed. */
export type Uploads = {
  /** Throws 415 `FILE_TYPE`. */
  add(memberId: string, purpose: UploadPurpose, content: Uint8Array): Promise<{ uploadId: string }>
  /** Whether the member has such an upload and it was free: it is used up with the transaction's commit. */
  use(tx: DbTransaction, use: UploadUse): Promise<boolean>
  /** A member's own picture; 404 for photos of papers and for everything of others. */
  view(memberId: string, id: string): Promise<Picture>
  /** Any picture, for customer service; each look is an audit row. */
  viewForBackOffice(id: string, actor: string): Promise<Picture>
  /** Removes the picture of a used upload for good; its row stays. Whether it was still there. */
  remove(id: string, fence: Fence): Promise<boolean>
  /** Removes what stayed unused; how many. */
  removeUnused(fence: Fence): Promise<number>
  /** Removes files that a stop between file and row left behind, either way round. Only while nothing is being uploaded. */
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
      // Written first: no look without its row, even where the file then fails to open.
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
      // The row first: a stop before the file goes leaves a file that `tidy` takes, never a row that promises one.
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
