import { and, eq, isNull, sql } from 'drizzle-orm'
import { dayMs } from '../../contract/time.ts'
import type { Db } from '../db/database.ts'
import { upload } from '../db/schema/upload.ts'
import { ApiError } from '../apiError.ts'
import { freeBytes } from '../freeBytes.ts'
import type { Clock } from '../ports.ts'

const megabyte = 1024 * 1024
/** How much disk space one member's pictures may take: those of the last day, and all that are stored. */
const memberDailyMaxBytes = 100 * megabyte
const memberMaxBytes = 1024 * megabyte

/**
 * Checks before a picture is received whether there is space for it.
 * @throws ApiError `STORAGE_FULL` while the disk has too little free space, `UPLOAD_QUOTA` if the member's
 * pictures have reached their quota
 */
export type AssertUploadCapacity = (memberId: string) => Promise<void>

type Parts = {
  db: Db
  clock: Pick<Clock, 'now'>
  dataDir: string
  freeMinBytes: number
  /** Called once when the free space falls below the minimum, and once when it is above it again. */
  warn: (line: string) => void
}

export function createCapacityCheck({ db, clock, dataDir, freeMinBytes, warn }: Parts): AssertUploadCapacity {
  let isFull = false
  return async (memberId) => {
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
      .where(and(eq(upload.memberId, memberId), isNull(upload.removedAt)))
    if (Number(own?.ofDay) >= memberDailyMaxBytes || Number(own?.all) >= memberMaxBytes)
      throw new ApiError('UPLOAD_QUOTA')
  }
}
