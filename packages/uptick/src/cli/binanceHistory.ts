import { createInterface } from 'node:readline'
import { UsageError } from './command.ts'
import type { HistoryRow } from './exchangeHistory.ts'
import { openText } from './packedFile.ts'

/** Instants above this are in microseconds: Binance's spot files since 2025. */
const microsecondsFrom = 1e14

/** The rows of a file of data.binance.vision, of trades or of aggregate trades. @throws UsageError if it is none */
export async function* binanceRows(path: string): AsyncGenerator<HistoryRow> {
  let isFirst = true
  for await (const line of createInterface({ input: openText(path), crlfDelay: Infinity })) {
    const row = parseRow(line)
    if (row) yield row
    else if (!isFirst || !/^[a-z_]+,/.test(line))
      throw new UsageError(`${path} is no file of trades: ${line.slice(0, 60)}`)
    isFirst = false
  }
}

/**
 * `id,price,qty,quoteQty,time,isBuyerMaker[,isBestMatch]`, or of aggregates
 * `id,price,qty,firstId,lastId,time,isBuyerMaker[,isBestMatch]`; undefined for a header.
 */
function parseRow(line: string): HistoryRow | undefined {
  const fields = line.split(',')
  const [id = '', price = '', size = '', fourth = '', fifth = '', sixth = ''] = fields
  if (!/^\d+$/.test(id) || !/^[\d.]+$/.test(price) || !/^[\d.]+$/.test(size)) return undefined
  if (/^\d{10,}$/.test(sixth) && /^\d+$/.test(fourth) && /^\d+$/.test(fifth))
    return { first: Number(fourth), last: Number(fifth), price, size: null, at: instantOf(sixth) }
  if (!/^\d{10,}$/.test(fifth)) return undefined
  return { first: Number(id), last: Number(id), price, size, at: instantOf(fifth) }
}

function instantOf(text: string): number {
  const instant = Number(text)
  return instant > microsecondsFrom ? Math.floor(instant / 1000) : instant
}
