import { builtPath } from '../../platform/builtPath.ts'
import { readIfThere } from '../../platform/textFile.ts'
import type { Column, Recording } from '../../../contract/recording.ts'
import type { SkippedRows } from '../../../contract/recordingReader.ts'

/** Decimals that a recording is read with; without those of sizes it has its own. */
export type ReadDecimals = { price: number; size: number | undefined }

/** What a file of columns begins with, as JSON after its length. */
type Head = {
  count: number
  /** The first instant; the others are written as ms since then. */
  from: number
  bytesEach: { at: number; price: number; size: number }
  priceDecimals: number
  sizeDecimals: number
  kind: Recording['kind']
  skippedRows: SkippedRows
}

const wordBytes = 8

/**
 * The file of a build that has a recording's columns: a start reads them in a hundredth of the time that the text takes.
 * @param sha256 of the recording's file, so that the columns of another one are never taken
 */
export const columnsFile = (sha256: string, { price, size }: ReadDecimals): string =>
  `recordings/${sha256}-${price}-${size ?? 'own'}.columns`

/** The columns that the build has of a recording; null if it has none. */
export async function readBuiltColumns(sha256: string, decimals: ReadDecimals): Promise<Recording | null> {
  const url = builtPath(columnsFile(sha256, decimals))
  const bytes = url === null ? null : await readIfThere(url)
  try {
    return bytes === null ? null : unpackColumns(bytes)
  } catch (error) {
    // A build that was interrupted cut the file off; the recording's text has the same.
    if (error instanceof RangeError || error instanceof SyntaxError) return null
    throw error
  }
}

export function packColumns(recording: Recording): Uint8Array {
  const { at, kind, priceDecimals, sizeDecimals } = recording
  const { skippedRows = { count: 0, rows: at.length, reasons: {}, first: null } } = recording
  const from = at[0] ?? 0
  const columns = {
    at: narrowed(at.map((instant) => instant - from)),
    price: narrowed(recording.price),
    size: narrowed(recording.size),
  }
  const bytesEach = {
    at: columns.at.BYTES_PER_ELEMENT,
    price: columns.price.BYTES_PER_ELEMENT,
    size: columns.size.BYTES_PER_ELEMENT,
  }
  const head: Head = { count: at.length, from, bytesEach, priceDecimals, sizeDecimals, kind, skippedRows }
  const text = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(wordBytes)
  length.writeUInt32LE(text.length)
  const parts = [length, text, ...Object.values(columns).map(bytesOf)]
  return Buffer.concat(parts.flatMap((part) => [part, padding(part.length)]))
}

export function unpackColumns(file: Uint8Array): Recording {
  // Columns begin at whole words, and a small file may share the memory of others.
  const { buffer } = file.byteLength === file.buffer.byteLength ? file : new Uint8Array(file)
  const headBytes = new DataView(buffer).getUint32(0, true)
  const head = JSON.parse(Buffer.from(buffer, wordBytes, headBytes).toString()) as Head
  const { count, from, bytesEach, skippedRows, priceDecimals, sizeDecimals, kind } = head
  let offset = wordBytes + headBytes + padding(headBytes).length
  const next = (bytes: number): Column => {
    const column =
      bytes === 4 ? new Uint32Array(buffer, offset, count) : new Float64Array(buffer, offset, count)
    offset += column.byteLength + padding(column.byteLength).length
    return column
  }
  const sinceFirst = next(bytesEach.at)
  // Plain loops: with a function for each of a million numbers a start takes a fifth of a second more.
  const at = new Float64Array(count)
  for (let i = 0; i < count; i++) at[i] = from + (sinceFirst[i] ?? 0)
  const price = next(bytesEach.price)
  const size = next(bytesEach.size)
  return { at, price, size, priceDecimals, sizeDecimals, kind, skipped: skippedRows.count, skippedRows }
}

const narrowMax = 2 ** 32 - 1

/** The same whole numbers, in 32 bits each if all of them fit. */
export function narrowed(column: Column, memory: (bytes: number) => ArrayBufferLike = ownMemory): Column {
  const { length } = column
  let fits = true
  for (let i = 0; i < length && fits; i++) {
    const value = column[i] ?? 0
    fits = value >= 0 && value <= narrowMax
  }
  const copy = fits ? new Uint32Array(memory(4 * length)) : new Float64Array(memory(8 * length))
  copy.set(column)
  return copy
}

const ownMemory = (bytes: number): ArrayBuffer => new ArrayBuffer(bytes)

const padding = (bytes: number): Buffer => Buffer.alloc((wordBytes - (bytes % wordBytes)) % wordBytes)

const bytesOf = ({ buffer, byteOffset, byteLength }: Column): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
