import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { upload, type Uploads } from '../../notices/index.ts'
import { verification } from '../schema.ts'
import type { Clock } from '../../platform/ports.ts'

type Parts = {
  db: Db
  fence: Fence
  clock: Pick<Clock, 'now'>
  uploads: Pick<Uploads, 'remove'>
  retentionMs: number
}

const batchSize = 500

/**
 * Removes the photos of rejected submissions `retentionMs` after the decision, whether or not the member has submitted
 * again. The submission, the decision and the views in the act log stay.
 * @returns how many photos were removed
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
    .limit(batchSize)
  let removed = 0
  for (const { id } of due) removed += (await uploads.remove(id, fence)) ? 1 : 0
  return removed
}
