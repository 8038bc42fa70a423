import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { member } from '../../platform/db/schema.ts'
import { upload, type Uploads } from '../../notices/index.ts'

type Parts = { db: Db; fence: Fence; uploads: Pick<Uploads, 'remove'> }

const batchSize = 500

/**
 * Removes the pictures that members of closed accounts sent to customer service, and returns how many. A job, because
 * deleting a file is not part of a transaction.
 */
export async function removeClosedPictures({ db, fence, uploads }: Parts): Promise<number> {
  const due = await db
    .select({ id: upload.id })
    .from(member)
    .innerJoin(upload, eq(upload.memberId, member.id))
    .where(
      and(isNotNull(member.closedAt), eq(upload.usedByKind, 'service_message'), isNull(upload.removedAt)),
    )
    .limit(batchSize)
  let removed = 0
  for (const { id } of due) removed += (await uploads.remove(id, fence)) ? 1 : 0
  return removed
}
