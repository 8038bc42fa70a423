import { instantUnitOf } from '../../../../contract/recordedInstant.ts'
import { UsageError } from './command.ts'
import type { HistoryRow } from './historyRow.ts'
import { linesOf } from './files.ts'

/** The rows of a file of data.binance.vision, of trades or of aggregate trades. @throws UsageError if it is none */
export async function* binanceRows(path: string): AsyncGenerator<HistoryRow> {
  let columns: number | undefined
  for await (const { text, number, hasEnd } of linesOf(path)) {
    if (text === '' && hasEnd) continue
    const fields = text.split(',')
    columns ??= fields.length
    const row = fields.length === columns ? parseRow(fields) : undefined
    if (row) yield row
    else if (number > 1 || !/^[a-z_]+,/i.test(text))
      throw new UsageError(
        `${path} is no file of trades: line ${number}${hasEnd ? '' : ', broken off'}: ${text.slice(0, 60)}`,
      )
  }
}

/**
 * `id,price,qty,quoteQty,time,isBuyerMaker[,isBestMatch]`, or of aggregates
 * `id,price,qty,firstId,lastId,time,isBuyerMaker[,isBestMatch]`; undefined for a header.
 */
function parseRow(fields: readonly string[]): HistoryRow | undefined {
  const [id = '', price = '', size = '', fourth = '', fifth = '', sixth = ''] = fields
  if (!/^\d+$/.test(id) || !/^[\d.]+$/.test(price) || !/^[\d.]+$/.test(size)) return undefined
  if (/^\d{10,}$/.test(sixth) && /^\d+$/.test(fourth) && /^\d+$/.test(fifth))
    return { first: Number(fourth), last: Number(fifth), price, size: null, at: instantOf(sixth) }
  if (!/^\d{10,}$/.test(fifth)) return undefined
  return { first: Number(id), last: Number(id), price, size, at: instantOf(fifth) }
}

/** Binance's spot files since 2025 are in microseconds. */
function instantOf(text: string): number {
  const instant = Number(text)
  return instantUnitOf(instant) === 'microseconds' ? Math.floor(instant / 1000) : instant
}
