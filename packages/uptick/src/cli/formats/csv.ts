import { UsageError } from '../command.ts'
import { wholeLinesOf } from '../files.ts'
import { CsvLines, plainCsv, type CsvSplit } from './csvLines.ts'
import { firstLineOf, type ForeignRow, type Format, type FormatInput, type ReadRow } from './format.ts'
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
const openSide = 'its last price may be broken off: it has no line end'

export function csvFormat(layout: CsvLayout): Format {
  const { name, columns, fewest = columns.length, header = [], onlyWithHeader = false, example } = layout
  const headers = [header].flat().map(plainHeader)
  const firsts = new Set(headers.map((each) => each.charAt(0)))
  // A row may begin with a name too: most begin with another letter than the header.
  const isHeader = (line: string): boolean =>
    (firsts.has(line.charAt(0).toLowerCase()) || line.startsWith('_')) && headers.includes(plainHeader(line))
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
  split?: CsvSplit
}

/** The rows of a table in text; each is good until the next one is read. @throws UsageError if an instant is in another unit */
export async function* csvRows(
  { path, pieces }: FormatInput,
  { columns, fewest, isHeader, instant, split = plainCsv }: CsvRowsOptions,
): AsyncGenerator<Iterable<ReadRow>> {
  const lines = new CsvLines(columns.length, split)
  const tick = new CsvTick(lines, columns)
  const time = columns.indexOf('time')
  let readInstant: InstantReader | undefined
  const readRow = (): ReadRow | undefined => {
    const { number: line, fields, hasEnd } = lines
    readInstant ??= instant(lines.text)
    // Also in the middle: files are often put together.
    if (!lines.beginsWithDigit && isHeader(lines.text)) return undefined
    if (fields < fewest || fields > columns.length)
      return { line, text: lines.text, why: hasEnd ? otherColumns : `it is broken off: ${otherColumns}` }
    const at =
      readInstant.ofWhole?.(lines.wholeIn(time)) ?? instantIn(path, line, readInstant, lines.field(time))
    if (at === undefined) return { line, text: lines.text, why: noTime }
    const last = columns[fields - 1]
    if (!hasEnd && (last === 'bid' || last === 'ask') && lines.field(fields - 1) !== '')
      return { line, text: lines.text, why: openSide }
    tick.at = at
    return tick
  }
  const rowsIn = function* (text: string): Generator<ReadRow> {
    lines.open(text)
    while (lines.next()) {
      const row = readRow()
      if (row) yield row
    }
  }
  for await (const text of wholeLinesOf(path, pieces, () => lines.number)) yield rowsIn(text)
}

/** The tick of the line that was read last: a file has millions, and most fields are read once. */
class CsvTick implements ForeignRow {
  at = 0
  readonly #lines: CsvLines
  readonly #columns: Readonly<Record<'price' | 'size' | 'bid' | 'ask' | 'order' | 'symbol', number>>

  constructor(lines: CsvLines, columns: readonly (ColumnKind | undefined)[]) {
    this.#lines = lines
    const at = (kind: ColumnKind): number => columns.indexOf(kind)
    this.#columns = {
      price: at('price'),
      size: at('size'),
      bid: at('bid'),
      ask: at('ask'),
      order: at('order'),
      symbol: at('symbol'),
    }
  }

  get line(): number {
    return this.#lines.number
  }
  get text(): string {
    return this.#lines.text
  }
  get price(): string {
    return this.#lines.field(this.#columns.price)
  }
  get size(): string {
    return this.#lines.field(this.#columns.size)
  }
  get bid(): string {
    return this.#lines.field(this.#columns.bid)
  }
  get ask(): string {
    return this.#lines.field(this.#columns.ask)
  }
  get symbol(): string | undefined {
    return this.#columns.symbol < 0 ? undefined : this.#lines.field(this.#columns.symbol)
  }
  get order(): number | undefined {
    const { order } = this.#columns
    if (order < 0) return undefined
    const whole = this.#lines.wholeIn(order)
    return Number.isNaN(whole) ? Number(this.#lines.field(order)) : whole
  }
}

/** The instant in a line; undefined if it has none. @throws UsageError that names the line if it is in another unit */
export function instantIn(path: string, line: number, read: InstantReader, text: string): number | undefined {
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
