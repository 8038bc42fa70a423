import type { Readable } from 'node:stream'
import { instantUnitOf } from '../../../../contract/recordedInstant.ts'
import { RecordingReader, RecordingScale } from '../../../../contract/recordingReader.ts'
import { recordingHeader } from '../../../../streams/replay/format.ts'
import { textOfStream } from '../../../../server/market/package.ts'
import { UsageError } from './command.ts'
import { piecesOf, within } from './files.ts'
import { ConvertedText } from './formats/convertedText.ts'
import { firstLineOf, type Format } from './formats/format.ts'
import { genericFormat, peek, type GenericOptions } from './formats/generic.ts'
import { binaryFormat, nearestFormat } from './formats/table.ts'

export type ForeignOptions = {
  /** Of socket messages: the exchange. */
  protocol: string
  symbol: string | undefined
  /** What the user says of the columns; undefined: the format is recognised. */
  generic: GenericOptions | undefined
}

/** A file that was recognised: its format, and its text as a recording. */
export type ForeignFile = { format: string; text: ConvertedText; pieces: AsyncIterable<string> }

/**
 * Opens a file of recorded prices of any known format.
 * @param path `-` is the standard input
 * @throws UsageError that names the nearest format if it is none of them
 */
export async function openForeign(
  path: string,
  { protocol, symbol, generic }: ForeignOptions,
  input: Readable = process.stdin,
): Promise<ForeignFile> {
  const name = path === '-' ? 'the input' : path
  const text = new ConvertedText(symbol)
  const opened = (format: Format, pieces: AsyncIterable<string>): ForeignFile => ({
    format: format.name,
    text,
    pieces: text.pieces(format.read({ path: name, pieces, protocol })),
  })
  const binary = binaryFormat(path)
  if (binary !== undefined) return opened(binary, piecesOf(path))
  const { start, pieces } = await peek(path === '-' ? textOfStream(input) : piecesOf(path))
  if (start.trim() === '') throw new UsageError(`${name} is empty`, '')
  return opened(generic === undefined ? recognised(name, start) : genericFormat(generic), pieces)
}

/**
 * Reads a file of others and keeps none of it: twice, first for its decimals.
 * @param add is called with each tick
 * @throws UsageError if it cannot be used
 */
export async function scanForeign(
  path: string,
  options: ForeignOptions,
  add: ConstructorParameters<typeof RecordingReader>[1],
): Promise<{ reader: RecordingReader; format: string; symbol: string; leftOut: string[] }> {
  const scale = new RecordingScale()
  for await (const piece of (await openForeign(path, options)).pieces) scale.add(piece)
  const reader = new RecordingReader(scale.end(), add)
  const { format, pieces, text } = await openForeign(path, options)
  for await (const piece of pieces) within(path, () => reader.add(piece), '')
  within(path, () => reader.end(), '')
  return { reader, format, symbol: text.symbol ?? 'not named', leftOut: text.remarks }
}

/** What a file is: a recording, or one of others, or of no known format, and then what it is nearest to. */
export async function kindOf(
  path: string,
): Promise<{ kind: 'recording' | 'foreign' | 'unknown'; why: string }> {
  if (binaryFormat(path) !== undefined) return { kind: 'foreign', why: '' }
  const { start } = await peek(piecesOf(path))
  if (firstLineOf(start).startsWith(recordingHeader)) return { kind: 'recording', why: '' }
  return { kind: nearestFormat(start).likeness === 1 ? 'foreign' : 'unknown', why: unknownText(start) }
}

function recognised(name: string, start: string) {
  const { format, likeness } = nearestFormat(start)
  if (likeness === 1) return format
  throw new UsageError(
    `${name}: ${unknownText(start)}`,
    '--columns says what the columns of any other file are',
  )
}

/** What a text that is of no known format is nearest to. */
function unknownText(start: string): string {
  if (/[\0\uFFFD]/.test(start)) return 'no known format: it is no text'
  const { format, likeness } = nearestFormat(start)
  const line = JSON.stringify(firstLineOf(start).slice(0, 100))
  const nearest =
    likeness > 0
      ? `the nearest is ${format.name}, whose line 1 is ${JSON.stringify(format.example)}`
      : 'none is like it'
  const [, time = ''] = /^(\d{10,19}(?:\.\d+)?),/.exec(firstLineOf(start)) ?? []
  const unit = time === '' ? undefined : instantUnitOf(Number(time))
  const instant = unit === undefined ? '' : `; ${time} is an instant in ${unit}`
  return `no known format: line 1 is ${line}; ${nearest}${instant}`
}
