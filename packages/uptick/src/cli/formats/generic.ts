import type { InstantUnit } from '../../../../../contract/recordedInstant.ts'
import { UsageError } from '../command.ts'
import { lineBatchesOf, type FileLine } from '../files.ts'
import { parsedJson } from '../json.ts'
import { csvRows, instantIn } from './csv.ts'
import { fieldsOf } from './csvLines.ts'
import { firstLineOf, type Format, type FormatInput, type ReadRow } from './format.ts'
import { calendarIn, epochIn, type InstantReader } from './instants.ts'

const roles = ['time', 'price', 'size', 'bid', 'ask', 'symbol'] as const
type Role = (typeof roles)[number]
/** The name, or from 1 the number, of the column that has a part of the tick. */
type NamedColumns = Partial<Record<Role, string>>

const units: Record<string, InstantUnit> = {
  s: 'seconds',
  ms: 'milliseconds',
  us: 'microseconds',
  ns: 'nanoseconds',
}

/** What the options say of a file: `time=ts,price=last`, a unit of numbers, the zone of dates. */
export type GenericOptions = { columns: string; unit: string; zone: string }

/** A format of which the user says what its columns are: CSV, or JSON objects on a line each. @throws UsageError */
export function genericFormat({ columns, unit, zone }: GenericOptions): Format {
  const named = parseColumns(columns)
  const instant = instantReader(unit, zone)
  return {
    name: 'columns as given',
    example: columns,
    likeness: () => 1,
    read: async function* (input) {
      const { start, pieces } = await peek(input.pieces)
      const each = { ...input, pieces }
      if (start.trimStart().startsWith('{')) yield* jsonRows(each, named, instant)
      else yield* tableRows(each, firstLineOf(start), named, instant)
    },
  }
}

/** The beginning of a text, some 64,000 characters if it has so many, and all of its pieces again. */
export async function peek(
  pieces: AsyncIterable<string>,
): Promise<{ start: string; pieces: AsyncIterable<string> }> {
  const rest = pieces[Symbol.asyncIterator]()
  let start = ''
  while (start.length < 64_000) {
    const next = await rest.next()
    if (next.done === true) break
    start += next.value
  }
  const all = async function* () {
    yield start
    yield* { [Symbol.asyncIterator]: () => rest }
  }
  return { start, pieces: all() }
}

function parseColumns(text: string): NamedColumns {
  const named: NamedColumns = {}
  for (const part of text.split(',')) {
    const [, role, name] = /^(\w+)=(.+)$/.exec(part.trim()) ?? []
    const known = roles.find((each) => each === role)
    if (known === undefined || name === undefined)
      throw new UsageError(`--columns is time=NAME,price=NAME and more of ${roles.join(', ')}, not ${part}`)
    named[known] = name
  }
  const hasQuote = named.bid !== undefined && named.ask !== undefined
  if (named.time === undefined || (named.price === undefined && !hasQuote))
    throw new UsageError('--columns names the time, and the price or bid and ask')
  return named
}

function instantReader(unit: string, zone: string): InstantReader {
  const known = units[unit]
  if (known === undefined) throw new UsageError(`--unit is one of ${Object.keys(units).join(', ')}`)
  const [epoch, calendar] = [epochIn(known), calendarIn(zone)]
  return (text) => epoch(text) ?? calendar(text)
}

async function* tableRows(
  input: FormatInput,
  first: string,
  named: NamedColumns,
  instant: InstantReader,
): AsyncGenerator<Iterable<ReadRow>> {
  const separator = [',', ';', '\t'].find((each) => first.includes(each)) ?? ','
  const split = { separator, isTrimmed: true, hasQuotes: true }
  const names = fieldsOf(first, split)
  const isNumbered = Object.values(named).every((name) => /^\d+$/.test(name))
  const columns: (Role | undefined)[] = names.map(() => undefined)
  for (const role of roles) {
    const name = named[role]
    if (name === undefined) continue
    const at = isNumbered ? Number(name) - 1 : names.indexOf(name)
    if (at < 0 || at >= names.length)
      throw new UsageError(
        `${input.path} has no column ${name}: line 1 is ${JSON.stringify(first.slice(0, 200))}`,
      )
    columns[at] = role
  }
  const isHeader = (line: string): boolean =>
    line === first &&
    (!isNumbered ||
      instantOrNone(instant, fieldsOf(line, split)[columns.indexOf('time')] ?? '') === undefined)
  yield* csvRows(input, { columns, fewest: columns.length, isHeader, instant: () => instant, split })
}

/** A header has a name where rows have an instant. */
function instantOrNone(read: InstantReader, text: string): number | undefined {
  try {
    return read(text)
  } catch {
    return 0
  }
}

async function* jsonRows(
  { path, pieces }: FormatInput,
  named: NamedColumns,
  instant: InstantReader,
): AsyncGenerator<ReadRow[]> {
  const rowOf = ({ text, number: line, hasEnd }: FileLine): ReadRow[] => {
    if (text.trim() === '') return []
    const value = parsedJson(text)
    if (value === undefined) return [{ line, text, why: hasEnd ? 'it is not JSON' : 'it is broken off' }]
    const field = (role: Role): string => textAt(value, named[role])
    const at = instantIn(path, line, instant, field('time'))
    if (at === undefined) return [{ line, text, why: 'its time cannot be read' }]
    const [price, size, bid, ask] = [field('price'), field('size'), field('bid'), field('ask')]
    const symbol = named.symbol === undefined ? undefined : field('symbol')
    return [{ line, text, at, price, size, bid, ask, symbol }]
  }
  for await (const lines of lineBatchesOf(path, pieces)) yield lines.flatMap(rowOf)
}

/** ({data: {p: 1.5}}, "data.p") → "1.5" */
function textAt(value: unknown, path: string | undefined): string {
  if (path === undefined) return ''
  let found: unknown = value
  for (const name of path.split('.')) found = (found as Record<string, unknown> | null | undefined)?.[name]
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}
