import { createHash } from 'node:crypto'
import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parseRecording } from '../../../../contract/recording.ts'
import type { Recording } from '../../../../contract/recording.ts'
import { priceDecimalsOf } from '../recording.ts'
import { UsageError } from './command.ts'

/** A file's text, unpacked if it is gzipped. @throws UsageError if it cannot be read */
export function readText(path: string): { text: string; bytes: Buffer } {
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}`)
  try {
    const bytes = readFileSync(path)
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
    return { text: (isPacked ? gunzipSync(bytes) : bytes).toString(), bytes }
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export type OpenedRecording = {
  csv: string
  recording: Recording
  sha256: string
  note: RecordingNote | null
}
/** What `record` writes beside a recording: the product, and heads of the venue's chain at some of its numbers. */
export type RecordingNote = {
  product: { id: string; priceDecimals: number; sizeDecimals: number; chain: 1 | 2 }
  venue: string
  heads: { seq: number; hash: string }[]
}

export const notePathOf = (path: string): string => `${path.replace(/\.csv(\.gz)?$/, '')}.json`

/** @throws UsageError if the file is not a recording */
export function openRecording(path: string, priceDecimals?: number): OpenedRecording {
  const { text: csv, bytes } = readText(path)
  const note = readNote(notePathOf(path))
  try {
    const decimals = priceDecimals ?? note?.product.priceDecimals ?? priceDecimalsOf(csv)
    const recording = parseRecording(csv, decimals, note?.product.sizeDecimals)
    return { csv, recording, sha256: createHash('sha256').update(bytes).digest('hex'), note }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(
      `${path}: ${error.message}`,
      'a recording begins with the line ts_ms,price,size,bid,ask',
    )
  }
}

export function readNote(path: string): RecordingNote | null {
  if (!existsSync(path)) return null
  try {
    const note = JSON.parse(readFileSync(path, 'utf8')) as Partial<RecordingNote>
    return note.product && Array.isArray(note.heads) ? (note as RecordingNote) : null
  } catch {
    return null
  }
}

/** The only argument. @throws UsageError if there is none, or another one */
export function onlyFile(positionals: readonly string[], what: string): string {
  const [file, ...others] = positionals
  if (file === undefined) throw new UsageError(`which ${what}?`)
  if (others.length > 0) throw new UsageError(`one ${what} at a time, not ${others.join(' ')} too`)
  return file
}

/** Digits without zeros at the end, so that a file has the decimals that its prices use. */
export const plainDigits = (digits: string): string =>
  digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits

/**
 * The rows of a file that `record` continues, without the header; cuts off a row that was written in part.
 * @throws UsageError if the file has another header
 */
export function wholeRows(path: string, header: string): string[] {
  const text = readFileSync(path, 'utf8')
  if (!text.startsWith(`${header}\n`)) throw new UsageError(`${path} was not written by "record"`)
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  truncateSync(path, Buffer.byteLength(whole))
  return whole.trimEnd().split('\n').slice(1)
}
