import { readdir } from 'node:fs/promises'
import { asc, isNull } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { upload } from '../schema.ts'
import { systemRandom } from '../../platform/random.ts'
import { createUploadFiles } from './files.ts'

export type UploadCheck = { photos: number; opened: number; findings: string[] }

/**
 * Checks that every photo of the database is in a folder and, with the key, that it can be decrypted.
 * @param removed photos that were removed while the folder was copied
 */
export async function checkUploads(
  db: Db,
  dir: string,
  { key, removed }: { key: Uint8Array | null; removed: ReadonlySet<string> },
  onProgress: (photos: number) => void,
): Promise<UploadCheck> {
  const check: UploadCheck = { photos: 0, opened: 0, findings: [] }
  const stored = new Set(await readdir(dir).catch(() => []))
  const files = key && createUploadFiles(dir, key, systemRandom)
  const { id, bytes } = upload
  const rows = await db.select({ id, bytes }).from(upload).where(isNull(upload.removedAt)).orderBy(asc(id))
  for (const row of rows) {
    if (removed.has(row.id)) continue
    check.photos += 1
    if (!stored.has(row.id)) {
      check.findings.push(`photo ${row.id} is missing`)
      continue
    }
    if (files === null) continue
    const content = await files.read(row.id).catch(() => null)
    if (content === null) check.findings.push(`photo ${row.id} cannot be opened with the key`)
    else if (content.length !== row.bytes)
      check.findings.push(`photo ${row.id} has ${content.length} bytes, not ${row.bytes}`)
    else check.opened += 1
    onProgress(check.photos)
  }
  return check
}
