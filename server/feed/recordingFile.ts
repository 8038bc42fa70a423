import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const unzip = promisify(gunzip)

export type RecordingFile = { csv: string; sha256: string }

/**
 * Reads a recording (gzipped CSV) and the SHA-256 of the compressed file.
 * @throws if the file is missing or not gzip
 */
export async function readRecording(dir: string, file: string): Promise<RecordingFile> {
  const zipped = await readFile(join(dir, file))
  const csv = (await unzip(zipped)).toString('utf8')
  return { csv, sha256: createHash('sha256').update(zipped).digest('hex') }
}
