import { and, eq, isNull, sql } from 'drizzle-orm'
import { dayMs } from '../../../contract/time.ts'
import type { Db } from '../../platform/db/database.ts'
import { upload } from '../schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import { freeBytes } from '../../platform/freeBytes.ts'
import type { Clock } from '../../platform/ports.ts'

const megabyte = 1024 * 1024
/** How much disk space one sender's pictures may take: those of the last day, and all that are stored. */
const senderDailyMaxBytes = 100 * megabyte
const senderMaxBytes = 1024 * megabyte

/**
 * Checks before a picture is received whether there is space for it.
 * @throws ApiError `STORAGE_FULL` while the disk has too little free space, `UPLOAD_QUOTA` if the sender's
 * pictures have reached their quota
 * @param warn called once when the free space falls below the minimum, and once when it is above it again
 */
export type AssertUploadCapacity = (sender: UploadSender, warn: (line: string) => void) => Promise<void>
/** A member, or a member of staff who sends a picture to one. */
export type UploadSender = { memberId: string; sentBy: string | null }

type Parts = {
  db: Db
  clock: Pick<Clock, 'now'>
  dataDir: string
  freeMinBytes: number
}

export function createCapacityCheck({ db, clock, dataDir, freeMinBytes }: Parts): AssertUploadCapacity {
  let isFull = false
  return async ({ memberId, sentBy }, warn) => {
    const free = await freeBytes(dataDir)
    if (free < freeMinBytes !== isFull) {
      isFull = !isFull
      const usage = `${Math.floor(free / megabyte)} MB free, ${freeMinBytes / megabyte} MB required`
      warn(
        `${isFull ? 'the disk is nearly full, uploads are rejected' : 'uploads are accepted again'}: ${usage}`,
      )
    }
    if (isFull) throw new ApiError('STORAGE_FULL')
    const [own] = await db
      .select({
        all: sql<string>`coalesce(sum(${upload.bytes}), 0)`,
        ofDay: sql<string>`coalesce(sum(${upload.bytes}) FILTER (WHERE ${upload.createdAt} > ${clock.now() - dayMs}::bigint), 0)`,
      })
      .from(upload)
      .where(
        and(
          sentBy === null
            ? and(eq(upload.memberId, memberId), isNull(upload.sentBy))
            : eq(upload.sentBy, sentBy),
          isNull(upload.removedAt),
        ),
      )
    if (Number(own?.ofDay) >= senderDailyMaxBytes || Number(own?.all) >= senderMaxBytes)
      throw new ApiError('UPLOAD_QUOTA')
  }
}
