import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from './usageError.ts'
import type { VenueClient } from './venueClient.ts'
import { errorCodeOf } from '../../platform/errorCode.ts'

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
}

/**
 * Writes the pictures that an answer names into a folder, readable only by the user. The venue records each view.
 * @param photos path of an upload's id in the answer → name of the file; `items.` iterates over a list
 * @returns the files written
 */
export async function writePhotos(
  venue: VenueClient,
  answer: unknown,
  photos: Readonly<Record<string, string>>,
  folder: string,
): Promise<string[]> {
  const written: string[] = []
  for (const { uploadId, name } of Object.entries(photos).flatMap(([path, name]) =>
    namedUploads(answer, path, name),
  )) {
    const { type, data } = await venue.picture(`/uploads/${encodeURIComponent(uploadId)}`)
    const file = join(folder, `${name}.${extensions[type] ?? 'bin'}`)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // Created again: an older file of that name may be readable by others.
      await rm(file, { force: true })
      await writeFile(file, data, { mode: 0o600, flag: 'wx' })
    } catch (error) {
      throw new UsageError(`${file} cannot be written (${codeOf(error)})`)
    }
    written.push(file)
  }
  return written
}

/** The uploads at a path, each with a unique file name: the id of its row, and the side. */
function namedUploads(answer: unknown, path: string, side: string): { uploadId: string; name: string }[] {
  const field = path.replace(/^items\./, '')
  const rows: unknown[] = field === path ? [answer] : listOf(answer)
  return rows.flatMap((row) => {
    const uploadId = fieldOf(row, field)
    const id = fieldOf(row, 'id')
    if (uploadId === undefined || id === undefined) return []
    return [{ uploadId, name: `${id.replaceAll(/[^\w-]/g, '_')}-${side}` }]
  })
}

function listOf(answer: unknown): unknown[] {
  if (typeof answer !== 'object' || answer === null || !('items' in answer)) return []
  return Array.isArray(answer.items) ? answer.items : []
}

function fieldOf(row: unknown, name: string): string | undefined {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined
  return typeof value === 'string' ? value : undefined
}

const codeOf = (error: unknown): string => errorCodeOf(error) ?? 'unknown'
