import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { RecordingParser, type Recording } from '../../../contract/recording.ts'
import { RecordingReader, RecordingScale } from '../../../contract/recordingReader.ts'
import { SettingsError } from '../../platform/settingsError.ts'
import { sha256OfFile, textOfFile, whyUnreadable } from '../../platform/textFile.ts'
import { errorCodeOf } from '../../platform/errorCode.ts'
import type { ReadDecimals } from './builtReplay.ts'

/** A gzipped CSV in the folder of recordings. */
export type RecordingPath = { dir: string; file: string }

/**
 * Reads something of a recording's file, which stays the same meanwhile.
 * @param read gets the SHA-256 of the compressed file
 * @throws Error with one line if the file cannot be read or is no recording
 */
export function readUnchanged<T>(
  path: RecordingPath,
  read: (full: string, sha256: string) => Promise<T>,
): Promise<T> {
  return named(path, async (full) => {
    const before = await stat(full)
    const result = await read(full, await sha256OfFile(full))
    const after = await stat(full)
    if (after.ino !== before.ino || after.size !== before.size || after.mtimeMs !== before.mtimeMs)
      throw new RangeError('it was changed while it was read')
    return result
  })
}

/**
 * Reads the text of a recording in pieces, between which this thread does other work: the heartbeat of a lease must not wait
 * for a whole recording. Without the decimals of sizes the text is read twice.
 */
export async function parseFile(
  path: string,
  { price: priceDecimals, size }: ReadDecimals,
): Promise<Recording> {
  const sizeDecimals = size ?? (await sizeDecimalsOf(path))
  const parser = new RecordingParser({ priceDecimals, sizeDecimals })
  for await (const piece of textOfFile(path, { gzipOnly: true })) parser.add(piece)
  return parser.end()
}

/** The first price of a recording, in units. @throws as `readRecording` */
export function readFirstPrice(path: RecordingPath, priceDecimals: number): Promise<number> {
  return named(path, async (full) => {
    let first: number | undefined
    const reader = new RecordingReader({ priceDecimals, sizeDecimals: 0 }, (_, price) => (first ??= price))
    for await (const piece of textOfFile(full, { gzipOnly: true })) {
      reader.add(piece)
      if (first !== undefined) return first
    }
    reader.end()
    return first ?? 0
  })
}

async function sizeDecimalsOf(path: string): Promise<number> {
  const scale = new RecordingScale()
  for await (const piece of textOfFile(path, { gzipOnly: true })) scale.add(piece)
  return scale.end().sizeDecimals
}

/** Errors of a file name it. */
async function named<T>({ dir, file }: RecordingPath, read: (path: string) => Promise<T>): Promise<T> {
  try {
    return await read(join(dir, file))
  } catch (error) {
    if (error instanceof RangeError)
      throw new Error(`the recording ${file}: ${error.message}`, { cause: error })
    throw new Error(`the recording ${file} ${whyUnreadable(error)}`, { cause: error })
  }
}

/** @throws SettingsError with one line if the folder cannot be read: without this each product would report its file */
export async function assertRecordingsDir(dir: string): Promise<void> {
  try {
    await readdir(dir)
  } catch (error) {
    const code = errorCodeOf(error) ?? 'unknown error'
    throw new SettingsError(`practice.recordings ${dir} cannot be read (${code})`)
  }
}
