import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { upload } from '../db/schema/upload.ts'
import { verification } from '../db/schema/verification.ts'
import type { Clock } from '../ports.ts'
import type { Uploads } from '../uploads/uploads.ts'

type Parts = {
  db: Db
  fence: Fence
  clock: Pick<Clock, 'now'>
  uploads: Pick<Uploads, 'remove'>
  retentionMs: number
}

const removedAtOnce = 500

/**
 * Removes the photos of rejected submissions once they were kept for `keptMs` after the decision: whether the member
 * submitted again by then does not count. The submission, the decision and every look in the audit stay.
 * @returns how many photos went
 */
export async function removeRejectedPhotos({
  db,
  fence,
  clock,
  uploads,
  retentionMs,
}: Parts): Promise<number> {
  const due = await db
    .select({ id: upload.id })
    .from(verification)
    .innerJoin(
      upload,
      or(eq(upload.id, verification.frontUploadId), eq(upload.id, verification.backUploadId)),
    )
    .where(
      and(
        eq(verification.status, 'rejected'),
        lte(verification.decidedAt, clock.now() - retentionMs),
        isNull(upload.removedAt),
      ),
    )
    .limit(removedAtOnce)
  let removed = 0
  for (const { id } of due) removed += (await uploads.remove(id, fence)) ? 1 : 0
  return removed
}
