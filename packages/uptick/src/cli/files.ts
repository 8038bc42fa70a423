import { existsSync, readFileSync, statSync } from 'node:fs'
import * as z from 'zod/mini'
import { parseJsonFile } from '../../../../contract/fileText.ts'
import { RecordingParser, type Recording } from '../../../../contract/recording.ts'
import {
  RecordingReader,
  RecordingScale,
  type RecordingDecimals,
} from '../../../../contract/recordingReader.ts'
import { textOfFile, whyUnreadable } from '../../../../server/market/package.ts'
import { UsageError } from './command.ts'

/**
 * The text of a file in pieces: as it is, gzipped, or the only file of a zip.
 * @throws UsageError if it cannot be read
 */
export async function* piecesOf(path: string): AsyncGenerator<string> {
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}`)
  try {
    yield* textOfFile(path)
  } catch (error) {
    throw error instanceof RangeError
      ? new UsageError(`${path}: ${error.message}`)
      : new UsageError(`${path} ${whyUnreadable(error)}`)
  }
}

/** The most characters of a text that is kept whole. */
const textLengthMax = 500_000_000

/** A file's whole text. @throws UsageError if it cannot be read, or is too large for that */
export async function readText(path: string, lengthMax = textLengthMax): Promise<string> {
  const pieces: string[] = []
  let length = 0
  for await (const piece of piecesOf(path)) {
    length += piece.length
    if (length > lengthMax)
      throw new UsageError(
        `${path} has more than ${lengthMax / 1e6} MB`,
        lengthMax === textLengthMax ? 'only recordings may be longer' : 'no proof is that large',
      )
    pieces.push(piece)
  }
  return pieces.join('')
}

/** A line of a file: its number from 1, and whether a line end follows. */
export type FileLine = { text: string; number: number; hasEnd: boolean }

/** No line is so long; a file without line ends must not be kept whole. */
const lineLengthMax = 8_000_000

/**
 * A text of any size in pieces of whole lines; only the last may be without a line end.
 * @param linesBefore how many lines the pieces had that were read
 * @throws UsageError if a line is too long
 */
export async function* wholeLinesOf(
  path: string,
  pieces: AsyncIterable<string>,
  linesBefore: () => number,
): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const end = piece.lastIndexOf('\n') + 1
    const text = end === 0 ? '' : rest + piece.slice(0, end)
    rest = end === 0 ? rest + piece : piece.slice(end)
    if (text !== '') yield text
    if (rest.length > lineLengthMax) throw new UsageError(`${path}: line ${linesBefore() + 1} is too long`)
  }
  if (rest !== '') yield rest
}

/** The lines of a text of any size, as many at once as have arrived. @throws UsageError if it cannot be read */
export async function* lineBatchesOf(
  path: string,
  pieces: AsyncIterable<string> = piecesOf(path),
): AsyncGenerator<FileLine[]> {
  let number = 0
  for await (const text of wholeLinesOf(path, pieces, () => number)) {
    const lines = text.split('\n')
    const hasEnd = lines.at(-1) === ''
    if (hasEnd) lines.pop()
    yield lines.map((line) => ({
      text: hasEnd && line.endsWith('\r') ? line.slice(0, -1) : line,
      number: ++number,
      hasEnd,
    }))
  }
}

/** The lines of a file of any size, one after the other. @throws UsageError if it cannot be read */
export async function* linesOf(path: string): AsyncGenerator<FileLine> {
  for await (const lines of lineBatchesOf(path)) yield* lines
}

/** Of a price or a size. */
export const decimals = z.int().check(z.minimum(0), z.maximum(8))
const recordingNote = z.object({
  product: z.object({
    id: z.string(),
    priceDecimals: decimals,
    sizeDecimals: decimals,
    chain: z.literal([1, 2]),
  }),
  venue: z.string(),
  heads: z.array(z.object({ seq: z.int(), hash: z.string() })),
})
/** What `record` writes beside a recording: the product, and heads of the venue's chain at some of its numbers. */
export type RecordingNote = z.infer<typeof recordingNote>

export const notePathOf = (path: string): string => `${path.replace(/\.csv(\.gz)?$/, '')}.json`

/** @throws UsageError if the file is not a recording */
export async function openRecording(
  path: string,
): Promise<{ recording: Recording; note: RecordingNote | null }> {
  const note = readNote(notePathOf(path))
  const parser = new RecordingParser(await decimalsOf(path, note), { keepsQuotes: true })
  await readPieces(path, parser)
  return { recording: within(path, () => parser.end()), note }
}

/**
 * Reads a recording of any size and keeps none of it.
 * @param open returns what is done with each tick; it is called again if the file is read again
 * @throws UsageError if the file is not a recording
 */
export async function scanRecording(
  path: string,
  open: (
    decimals: RecordingDecimals,
    note: RecordingNote | null,
  ) => ConstructorParameters<typeof RecordingReader>[1],
): Promise<RecordingReader> {
  const note = readNote(notePathOf(path))
  const scan = async (decimals: RecordingDecimals): Promise<RecordingReader> => {
    const reader = new RecordingReader(decimals, open(decimals, note))
    await readPieces(path, reader)
    within(path, () => reader.end())
    return reader
  }
  if (note === null) {
    assertNoPipe(path)
    // Nearly every file begins with as many decimals as it has.
    const reader = await scan(await decimalsAtStart(path)).catch(ifUnusable)
    if (reader?.fits === true) return reader
  }
  return scan(await decimalsOf(path, note))
}

/** Undefined for an error that the file is read again for, whole. */
function ifUnusable(error: unknown): undefined {
  if (!(error instanceof UsageError)) throw error
}

async function decimalsAtStart(path: string): Promise<RecordingDecimals> {
  const scale = new RecordingScale()
  for await (const piece of piecesOf(path)) {
    within(path, () => scale.add(piece))
    break
  }
  return within(path, () => scale.end())
}

/** @throws UsageError if it can be read only once */
export function assertNoPipe(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat !== undefined && !stat.isFile() && !stat.isDirectory())
    throw new UsageError(`${path} is a pipe, and a recording is read twice`, 'write it to a file first')
}

async function decimalsOf(path: string, note: RecordingNote | null): Promise<RecordingDecimals> {
  if (note !== null) {
    const { priceDecimals, sizeDecimals } = note.product
    return { priceDecimals, sizeDecimals }
  }
  assertNoPipe(path)
  const scale = new RecordingScale()
  await readPieces(path, scale)
  return within(path, () => scale.end())
}

async function readPieces(path: string, reader: { add: (piece: string) => void }): Promise<void> {
  for await (const piece of piecesOf(path)) within(path, () => reader.add(piece))
}

/** An error of a recording names its file. */
export function within<T>(
  path: string,
  read: () => T,
  hint = 'a recording begins with the line ts_ms,price,size,bid,ask, and its instants are epoch ms',
): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`${path}: ${error.message}`, hint)
  }
}

/** Null if there is none, or a file of something else. @throws UsageError if it is damaged */
export function readNote(path: string): RecordingNote | null {
  if (!existsSync(path)) return null
  try {
    return recordingNote.safeParse(parseJsonFile(readFileSync(path, 'utf8'))).data ?? null
  } catch {
    throw new UsageError(`${path} is not JSON: the note beside a recording is damaged`, '')
  }
}
