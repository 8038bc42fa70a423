import { statfs } from 'node:fs/promises'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { upload } from '../db/schema/upload.ts'
import { ApiError } from '../apiError.ts'
import type { Clock } from '../ports.ts'

const megabyte = 1024 * 1024
/** What one member's pictures may take on the disk: of the last day, and all that are kept. */
const memberDailyMaxBytes = 100 * megabyte
const memberMaxBytes = 1024 * megabyte
const dayMs = 86_400_000

/**
 * Refuses a picture before it is received.
 * @throws Refusal 503 `STORAGE_FULL` while the disk has less free than it must, 422 `UPLOAD_QUOTA` if the member's
 * pictures take as much as they may
 */
export type AssertUploadCapacity = (memberId: string) => Promise<void>

type Parts = {
  db: Db
  clock: Pick<Clock, 'now'>
  dataDir: string
  freeMinBytes: number
  /** Told once when the disk falls below its mark, and once when it is above it again. */
  warn: (line: string) => void
}

export function createCapacityCheck({ db, clock, dataDir, freeMinBytes, warn }: Parts): AssertUploadCapacity {
  let isFull = false
  return async (memberId) => {
    const free = await freeBytes(dataDir)
    if (free < freeMinBytes !== isFull) {
      isFull = !isFull
      const usage = `${Math.floor(free / megabyte)} MB free, ${freeMinBytes / megabyte} MB wanted`
      warn(
        `${isFull ? 'the disk is nearly full, pictures are refused' : 'pictures are taken again'}: ${usage}`,
      )
    }
    if (isFull) throw new ApiError(503, 'STORAGE_FULL')
    const [own] = await db
      .select({
        all: sql<string>`coalesce(sum(${upload.bytes}), 0)`,
        ofDay: sql<string>`coalesce(sum(${upload.bytes}) FILTER (WHERE ${upload.createdAt} > ${clock.now() - dayMs}::bigint), 0)`,
      })
      .from(upload)
      .where(and(eq(upload.memberId, memberId), isNull(upload.removedAt)))
    if (Number(own?.ofDay) >= memberDailyMaxBytes || Number(own?.all) >= memberMaxBytes)
      throw new ApiError(422, 'UPLOAD_QUOTA')
  }
}

/** What is left for us on the disk of a folder. */
export async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}
