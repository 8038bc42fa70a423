import { instantFault } from '../../../../../contract/recordedInstant.ts'
import { UsageError } from '../command.ts'
import type { HistoryTrade } from '../historyRow.ts'
import type { Format, FormatInput, ForeignRow } from './format.ts'

/** The number of rows passed on at once. */
const batchLength = 1000
/** A format of JSON text, recognised by the names in its beginning. */
export function jsonFormat(
  name: string,
  keys: readonly string[],
  example: string,
  rows: (input: FormatInput) => AsyncIterable<ForeignRow>,
): Format {
  return {
    name,
    example,
    likeness: (start) =>
      /^\s*[[{]/.test(start) ? keys.filter((key) => start.includes(`"${key}"`)).length / keys.length : 0,
    read: (input) => batchesOf(rows(input)),
  }
}

async function* batchesOf(rows: AsyncIterable<ForeignRow>): AsyncGenerator<ForeignRow[]> {
  let batch: ForeignRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchLength) continue
    yield batch
    batch = []
  }
  yield batch
}

type HistoryReader = (path: string, pieces: AsyncIterable<string>) => AsyncIterable<HistoryTrade>

/**
 * The trades of an exchange's own pages.
 * @param keptMax if they are not in order, all of them are kept, so many at the most, and sorted by their number
 */
export function tradesOf(read: HistoryReader, keptMax = 0) {
  return async function* ({ path, pieces }: FormatInput): AsyncGenerator<ForeignRow> {
    const kept: HistoryTrade[] = []
    let line = 0
    for await (const trade of read(path, pieces)) {
      line++
      const fault = instantFault(String(trade.at))
      if (fault !== undefined) throw new UsageError(`${path}: trade ${line}: ${fault}`, '')
      if (keptMax === 0) yield rowOf(trade, line)
      else kept.push(trade)
      if (kept.length > keptMax)
        throw new UsageError(
          `${path} has more than ${keptMax} trades, which are not in order`,
          'convert it in parts',
        )
    }
    kept.sort((a, b) => (a.first ?? 0) - (b.first ?? 0))
    for (const [i, trade] of kept.entries()) yield rowOf(trade, i + 1)
  }
}

function rowOf({ first: order, price, size, at }: HistoryTrade, line: number): ForeignRow {
  const text = `${order ?? ''},${price},${size ?? ''}`
  return { line, text, at, price, size: size ?? '', bid: '', ask: '', order }
}
