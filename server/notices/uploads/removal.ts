import { and, eq, inArray, isNull, lte } from 'drizzle-orm'
import { hourMs } from '../../../contract/time.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { upload } from '../schema.ts'
import type { Clock } from '../../platform/ports.ts'
import type { UploadFiles } from './files.ts'

const batchSize = 500
/** A younger file without a row may belong to an upload that another node is receiving. */
const orphanAgeMs = hourMs

type Parts = { db: Db; clock: Pick<Clock, 'now'>; files: UploadFiles }

/** Removes the picture of a used upload; its row stays. Returns whether it still existed. */
export async function removePicture({ db, clock, files }: Parts, id: string, fence: Fence): Promise<boolean> {
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
}

/** Removes uploads that were not used within `ttlMs` and returns how many. */
export async function removeUnused(
  { db, clock, files }: Parts,
  ttlMs: number,
  fence: Fence,
): Promise<number> {
  const old = and(isNull(upload.usedAt), lte(upload.createdAt, clock.now() - ttlMs))
  const due = await db.select({ id: upload.id }).from(upload).where(old).limit(batchSize)
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
}

/**
 * Removes files that a stop between two steps left: those of a row whose picture is removed, and those without a row
 * that are older than an hour.
 */
export async function removeOrphans({ db, clock, files }: Parts): Promise<void> {
  const writtenAt = await files.writtenAt()
  const ids = [...writtenAt.keys()]
  const youngSince = clock.now() - orphanAgeMs
  for (let from = 0; from < ids.length; from += batchSize) {
    const batch = ids.slice(from, from + batchSize)
    const rows = await db
      .select({ id: upload.id, removedAt: upload.removedAt })
      .from(upload)
      .where(inArray(upload.id, batch))
    const removedAt = new Map(rows.map((row) => [row.id, row.removedAt]))
    for (const id of batch) {
      const isLeft = removedAt.has(id)
        ? removedAt.get(id) !== null
        : (writtenAt.get(id) ?? youngSince) < youngSince
      if (isLeft) await files.remove(id)
    }
  }
}
