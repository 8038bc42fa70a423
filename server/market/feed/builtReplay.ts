import { open } from 'node:fs/promises'
import type { Column, ScheduledRecording } from '../../../contract/recording.ts'
import type { SkippedRows } from '../../../contract/recordingReader.ts'
import { builtPath } from '../../platform/builtPath.ts'

/** A recording, ready to be replayed. Its columns are shared memory, so other threads get them without a copy. */
export type PreparedReplay = {
  scheduled: ScheduledRecording
  /** As `replayFingerprint` writes it. */
  fingerprint: string
  /** The day of its first tick, `2022-01-15`. */
  day: string
  /** Its rows that are not ticks. */
  skipped: SkippedRows | null
}

/** Decimals that a recording is read with; without those of sizes it has its own. */
export type ReadDecimals = { price: number; size: number | undefined }

type ColumnName = 'offset' | 'even' | 'odd' | 'size'
/** What a file begins with, as JSON after its length: all but the columns, and how many bytes their numbers have. */
type Head = Omit<PreparedReplay, 'scheduled'> & {
  scheduled: Pick<ScheduledRecording, 'pauses' | 'period' | 'sizeDecimals'>
  count: number
  bytesEach: Record<ColumnName, number>
}

const wordBytes = 8

/**
 * The file of a build that has a replay: a start reads it in a hundredth of the time that the recording's text takes.
 * @param fingerprint names the recording and how it is played, so that another replay is never taken
 */
export const replayFile = (fingerprint: string, { price, size }: ReadDecimals): string =>
  `recordings/${fingerprint.replaceAll(':', '-')}-${price}-${size ?? 'own'}.columns`

/** The replay that the build has; null if it has none. */
export async function readBuiltReplay(
  fingerprint: string,
  decimals: ReadDecimals,
): Promise<PreparedReplay | null> {
  const url = builtPath(replayFile(fingerprint, decimals))
  if (url === null) return null
  const file = await open(url)
  try {
    const bytes = new Uint8Array(shared((await file.stat()).size))
    await file.read(bytes)
    return unpackReplay(bytes)
  } catch (error) {
    // A build that was interrupted cut the file off; the recording's text has the same.
    if (error instanceof RangeError || error instanceof SyntaxError) return null
    throw error
  } finally {
    await file.close()
  }
}

export function packReplay({ scheduled, ...rest }: PreparedReplay): Uint8Array {
  const { passes, offset, size, pauses, period, sizeDecimals } = scheduled
  const columns: Record<ColumnName, Column> = { offset, even: passes[0], odd: passes[1], size }
  const head: Head = {
    ...rest,
    scheduled: { pauses, period, sizeDecimals },
    count: offset.length,
    bytesEach: {
      offset: offset.BYTES_PER_ELEMENT,
      even: passes[0].BYTES_PER_ELEMENT,
      odd: passes[1].BYTES_PER_ELEMENT,
      size: size.BYTES_PER_ELEMENT,
    },
  }
  const text = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(wordBytes)
  length.writeUInt32LE(text.length)
  const parts = [length, text, ...Object.values(columns).map(bytesOf)]
  return Buffer.concat(parts.flatMap((part) => [part, padding(part.length)]))
}

/** @param file in shared memory, whose columns other threads get without a copy */
export function unpackReplay({ buffer }: Uint8Array): PreparedReplay {
  const headBytes = new DataView(buffer).getUint32(0, true)
  const head = JSON.parse(Buffer.from(buffer, wordBytes, headBytes).toString()) as Head
  const { count, bytesEach, scheduled, ...rest } = head
  let start = wordBytes + headBytes + padding(headBytes).length
  const next = (bytes: number): Column => {
    const column =
      bytes === 4 ? new Uint32Array(buffer, start, count) : new Float64Array(buffer, start, count)
    start += column.byteLength + padding(column.byteLength).length
    return column
  }
  const offset = next(bytesEach.offset)
  const passes = [next(bytesEach.even), next(bytesEach.odd)] as const
  return { ...rest, scheduled: { ...scheduled, offset, passes, size: next(bytesEach.size) } }
}

const narrowMax = 2 ** 32 - 1

/** The same whole numbers in shared memory, in 32 bits each if all of them fit. */
export function narrowed(column: Column): Column {
  const { length } = column
  let fits = true
  // A plain loop: a function for each of a million numbers takes longer than to read them.
  for (let i = 0; i < length && fits; i++) {
    const value = column[i] ?? 0
    fits = value >= 0 && value <= narrowMax
  }
  const copy = fits ? new Uint32Array(shared(4 * length)) : new Float64Array(shared(8 * length))
  copy.set(column)
  return copy
}

const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes)

const padding = (bytes: number): Buffer => Buffer.alloc((wordBytes - (bytes % wordBytes)) % wordBytes)

const bytesOf = ({ buffer, byteOffset, byteLength }: Column): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
