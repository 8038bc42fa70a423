import { UsageError } from '../command.ts'
import { lineBatchesOf, type FileLine } from '../files.ts'
import { firstLineOf, type Format, type FormatInput, type ReadRow } from './format.ts'
import type { InstantReader } from './instants.ts'

/** What stands in a column: a part of the tick, or `id` a whole number, `number`, `flag` true or false, `text`. */
export type ColumnKind =
  | 'time'
  | 'price'
  | 'size'
  | 'bid'
  | 'ask'
  | 'order'
  | 'symbol'
  | 'id'
  | 'number'
  | 'flag'
  | 'text'

export type CsvLayout = {
  name: string
  /** What stands in each column, in order. */
  columns: readonly ColumnKind[]
  /** So many columns a row has at least; default: all. */
  fewest?: number
  /** The first line; a file may also begin with a row, unless there are several headers or `onlyWithHeader`. */
  header?: string | readonly string[]
  onlyWithHeader?: boolean
  /** A file whose instants are in another unit is none of it, not one with a fault. */
  isUnitSure?: boolean
  example: string
  /** How the instants are read, by the first line of the file. */
  instant: (header: string) => InstantReader
}

const number = /^\d+(\.\d*)?([eE][+-]?\d+)?$/
const whole = /^\d+$/
const some = /\S/
const patterns: Record<Exclude<ColumnKind, 'time'>, RegExp> = {
  price: number,
  size: number,
  bid: number,
  ask: number,
  number,
  order: whole,
  id: whole,
  flag: /^(true|false|0|1)$/i,
  symbol: some,
  text: some,
}

const otherColumns = 'it has another number of columns than the format'
const noTime = 'its time cannot be read'

export function csvFormat(layout: CsvLayout): Format {
  const { name, columns, fewest = columns.length, header = [], onlyWithHeader = false, example } = layout
  const headers = [header].flat().map(plainHeader)
  const isHeader = (line: string): boolean => headers.includes(plainHeader(line))
  const rowLikeness = (line: string): number => {
    const fields = line.split(',')
    const read = layout.instant('')
    const fitting = fields.filter((field, i) => {
      const kind = columns[i]
      if (kind === undefined) return false
      return kind === 'time' ? isInstant(read, field, layout.isUnitSure) : patterns[kind].test(field)
    })
    // Every text is like a name: alone it says nothing.
    if (fitting.every((field) => !/\d/.test(field))) return 0
    const isWhole = fields.length >= fewest && fields.length <= columns.length
    return fitting.length / (isWhole ? fields.length : Math.max(fields.length, columns.length))
  }
  return {
    name,
    example,
    likeness: (start) => {
      const line = firstLineOf(start)
      if (isHeader(line)) return 1
      const nearest = Math.max(
        0,
        ...headers.map((each) => shared(each.split(','), plainHeader(line).split(','))),
      )
      return Math.max(nearest, rowLikeness(line)) * (onlyWithHeader ? 0.99 : 1)
    },
    read: (input) => csvRows(input, { columns, fewest, isHeader, instant: layout.instant }),
  }
}

const plainHeader = (line: string): string => line.toLowerCase().replaceAll(/[_ ]/g, '')

/** The part of the names that both have, at the most 0.99: an equal header was recognised. */
function shared(one: readonly string[], other: readonly string[]): number {
  const both = one.filter((each) => other.includes(each)).length
  return Math.min(0.99, both / Math.max(one.length, other.length))
}

function isInstant(read: InstantReader, text: string, isUnitSure = false): boolean {
  try {
    return read(text) !== undefined
  } catch {
    // It is one, in another unit.
    return !isUnitSure
  }
}

/** What `csvRows` has to know of a layout. */
export type CsvRowsOptions = {
  columns: readonly (ColumnKind | undefined)[]
  fewest: number
  isHeader: (line: string) => boolean
  instant: (header: string) => InstantReader
  split?: (line: string) => string[]
}

/** The rows of a table in text. @throws UsageError if an instant is in another unit */
export async function* csvRows(
  { path, pieces }: FormatInput,
  { columns, fewest, isHeader, instant, split = (line) => line.split(',') }: CsvRowsOptions,
): AsyncGenerator<ReadRow[]> {
  const at = (kind: ColumnKind): number => columns.indexOf(kind)
  const [time, price, size, bid, ask] = [at('time'), at('price'), at('size'), at('bid'), at('ask')]
  const [order, symbol] = [at('order'), at('symbol')]
  let readInstant: InstantReader | undefined
  const rowOf = (text: string, line: number, hasEnd: boolean): ReadRow | undefined => {
    if (text === '') return undefined
    readInstant ??= instant(text)
    // Also in the middle: files are often put together.
    if (!isDigit(text.charCodeAt(0)) && isHeader(text)) return undefined
    const fields = split(text)
    if (fields.length < fewest || fields.length > columns.length)
      return { line, text, why: hasEnd ? otherColumns : `it is broken off: ${otherColumns}` }
    const instantAt = within(path, line, readInstant, fields[time] ?? '')
    if (instantAt === undefined) return { line, text, why: noTime }
    return {
      line,
      text,
      at: instantAt,
      price: fields[price] ?? '',
      size: fields[size] ?? '',
      bid: fields[bid] ?? '',
      ask: fields[ask] ?? '',
      symbol: fields[symbol],
      order: order < 0 ? undefined : Number(fields[order]),
    }
  }
  for await (const lines of lineBatchesOf(path, pieces)) yield rowsOf(lines, rowOf)
}

const isDigit = (char: number): boolean => char >= 48 && char <= 57

function rowsOf(
  lines: readonly FileLine[],
  rowOf: (text: string, line: number, hasEnd: boolean) => ReadRow | undefined,
): ReadRow[] {
  const rows: ReadRow[] = []
  for (const { text, number: line, hasEnd } of lines) {
    const row = rowOf(text.trim(), line, hasEnd)
    if (row) rows.push(row)
  }
  return rows
}

/** @throws UsageError that names the line whose instant is in another unit */
export function within(path: string, line: number, read: InstantReader, text: string): number | undefined {
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(
      `${path}: line ${line}: ${error.message}`,
      '--columns with --unit says what a file of another layout or unit has',
    )
  }
}
