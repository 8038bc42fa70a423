import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { SettingsError } from '../config.ts'

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

/** @throws SettingsError with one line if the folder cannot be read: without this each product would report its file */
export async function assertRecordingsDir(dir: string): Promise<void> {
  try {
    await readdir(dir)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new SettingsError(`practice.recordings ${dir} cannot be read (${code})`)
  }
}
