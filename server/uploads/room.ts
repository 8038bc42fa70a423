import { statfs } from 'node:fs/promises'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { upload } from '../db/schema/upload.ts'
import { Refusal } from '../http/refusal.ts'
import type { Clock } from '../ports.ts'

const megabyte = 1024 * 1024
/** What one member's pictures may take on the disk: of the last day, and all that are kept. */
const ownOfDayMax = 100 * megabyte
const ownMax = 1024 * megabyte
const dayMs = 86_400_000

/**
 * Refuses a picture before it is received.
 * @throws Refusal 503 `STORAGE_FULL` while the disk has less free than it must, 422 `UPLOAD_QUOTA` if the member's
 * pictures take as much as they may
 */
export type RefuseWithoutRoom = (memberId: string) => Promise<void>

type Parts = {
  db: Db
  clock: Pick<Clock, 'now'>
  dataDir: string
  freeMinBytes: number
  /** Told once when the disk falls below its mark, and once when it is above it again. */
  tell: (line: string) => void
}

export function createRoom({ db, clock, dataDir, freeMinBytes, tell }: Parts): RefuseWithoutRoom {
  let full = false
  return async (memberId) => {
    const free = await freeBytes(dataDir)
    if (free < freeMinBytes !== full) {
      full = !full
      const figures = `${Math.floor(free / megabyte)} MB free, ${freeMinBytes / megabyte} MB wanted`
      tell(
        `${full ? 'the disk is nearly full, pictures are refused' : 'pictures are taken again'}: ${figures}`,
      )
    }
    if (full) throw new Refusal(503, 'STORAGE_FULL')
    const [own] = await db
      .select({
        all: sql<string>`coalesce(sum(${upload.bytes}), 0)`,
        ofDay: sql<string>`coalesce(sum(${upload.bytes}) FILTER (WHERE ${upload.createdAt} > ${clock.now() - dayMs}::bigint), 0)`,
      })
      .from(upload)
      .where(and(eq(upload.memberId, memberId), isNull(upload.removedAt)))
    if (Number(own?.ofDay) >= ownOfDayMax || Number(own?.all) >= ownMax)
      throw new Refusal(422, 'UPLOAD_QUOTA')
  }
}

/** What is left for us on the disk of a folder. */
export async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}
