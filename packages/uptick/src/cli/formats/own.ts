import { recordingHeader } from '../../../../../streams/replay/format.ts'
import { csvRows, type ColumnKind } from './csv.ts'
import { firstLineOf, type Format } from './format.ts'
import { peek } from './generic.ts'
import { epochIn } from './instants.ts'

/** The columns of a recording by their names, in any order; those of other names are left out. */
const kinds = new Map<string, ColumnKind>([
  ['ts_ms', 'time'],
  ['price', 'price'],
  ['size', 'size'],
  ['bid', 'bid'],
  ['ask', 'ask'],
])
const readInstant = epochIn('milliseconds')

const columnsOf = (header: string): (ColumnKind | undefined)[] =>
  header.split(',').map((name) => kinds.get(name.trim().toLowerCase()))

/** A recording of this project, also with its columns in another order, and with more of them. */
export const ownRecording: Format = {
  name: 'Uptick recording',
  example: recordingHeader,
  likeness: (start) => {
    const columns = columnsOf(firstLineOf(start))
    const has = (kind: ColumnKind): boolean => columns.includes(kind)
    if (has('time') && (has('price') || (has('bid') && has('ask')))) return 1
    // `price` and `size` are names of many formats.
    return has('time') ? 0.9 : 0
  },
  read: async function* (input) {
    const { start, pieces } = await peek(input.pieces)
    const header = firstLineOf(start)
    const columns = columnsOf(header)
    const isHeader = (line: string): boolean => line === header
    yield* csvRows(
      { ...input, pieces },
      { columns, fewest: columns.length, isHeader, instant: () => readInstant },
    )
  },
}
