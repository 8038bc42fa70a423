import { createReadStream, existsSync, openSync, readSync, closeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createGunzip, createInflateRaw } from 'node:zlib'
import * as z from 'zod/mini'
import { restTick } from '../../../../contract/products.ts'
import type { RestTick } from '../../../../contract/products.ts'
import { parseRounded, parseTruncated } from '../../../../contract/price.ts'
import { UsageError } from './command.ts'

/** One row of an exchange's own file: a trade, or in a file of aggregates several at one price. */
type HistoryRow = {
  first: number
  last: number
  price: string
  /** Null for an aggregate, whose size is that of all its trades. */
  size: string | null
  at: number
}
/** What differs from the exchange's file, as `verify` prints it; null: nothing. `ticks` were compared. */
type HistoryVerdict = { ticks: number; differs: Record<string, unknown> | null }

const comparable = z.object({
  order: z.object({ terms: z.object({ priceDecimals: z.int() }) }),
  ticks: z.array(restTick),
  gaps: z.array(z.unknown()),
  source: z.string(),
})
type LiveTick = Extract<RestTick, { length: 6 }>

/** Instants above this are in microseconds: Binance's spot files since 2025. */
const microsecondsFrom = 1e14

/**
 * Compares the ticks of a proof with the trades that Binance publishes of the day: the id, price, size and instant of each,
 * and that no trade between them is left out. Files of trades or of aggregate trades, as CSV, gzipped or zipped.
 * @throws UsageError if the file cannot be compared with this proof
 */
export async function compareWithHistory(
  file: unknown,
  [path = '']: readonly string[],
): Promise<HistoryVerdict> {
  const parsed = comparable.safeParse(file)
  if (!parsed.success) throw new UsageError('not a proof file')
  const { order, ticks, gaps, source } = parsed.data
  if (!source.startsWith('live:binance'))
    throw new UsageError(
      `--against compares ticks of Binance, and these are of ${source}`,
      'the files are on data.binance.vision',
    )
  const live = ticks.filter((tick): tick is LiveTick => tick.length === 6)
  const ids = live.map((tick) => Number(tick[4]))
  const [from, to] = [Math.min(...ids), Math.max(...ids)]
  if (live.length === 0) throw new UsageError('no tick of the proof has an id of the exchange')
  const rows = await readRows(path, from, to)
  const scale = {
    price: order.terms.priceDecimals,
    // The venue cuts off decimals that its product does not have.
    size: Math.max(...live.map((tick) => (tick[3].split('.')[1] ?? '').length)),
  }
  const covered = (id: number): HistoryRow | undefined =>
    rows.find(({ first, last }) => id >= first && id <= last)
  for (const tick of live) {
    const row = covered(Number(tick[4]))
    const why = row ? differenceOf(tick, row, scale) : 'the exchange has no trade with this id'
    if (why !== null) return { ticks: live.length, differs: { why, tick, exchange: row ?? null } }
  }
  // In a gap the venue heard nothing, so what is missing there is no fault.
  const known = new Set(ids)
  const leftOut = rows.find(({ first, last }) => first >= from && last <= to && !hasAll(known, first, last))
  if (gaps.length > 0 || leftOut === undefined) return { ticks: live.length, differs: null }
  return { ticks: live.length, differs: { why: 'a trade of the exchange is left out', exchange: leftOut } }
}

function hasAll(known: ReadonlySet<number>, first: number, last: number): boolean {
  for (let id = first; id <= last; id++) if (!known.has(id)) return false
  return true
}

function differenceOf(
  [, , price, size, , sourceAt]: LiveTick,
  row: HistoryRow,
  scale: { price: number; size: number },
): string | null {
  if (parseRounded(row.price, scale.price) !== parseRounded(price, scale.price)) return 'the price differs'
  if (row.size === null) return null
  if (parseTruncated(row.size, scale.size) !== parseTruncated(size, scale.size)) return 'the size differs'
  return row.at === sourceAt ? null : 'the instant differs'
}

/** The rows with the trades from one id to another. The file may have a day of millions, so it is not kept. */
async function readRows(path: string, from: number, to: number): Promise<HistoryRow[]> {
  const rows: HistoryRow[] = []
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  try {
    for await (const line of createInterface({ input: openText(path), crlfDelay: Infinity })) {
      const row = parseRow(line)
      if (!row) {
        if (highest < 0 && /^[a-z_]+,/.test(line)) continue
        throw new UsageError(`${path} is no file of trades: ${line.slice(0, 60)}`)
      }
      lowest = Math.min(lowest, row.first)
      highest = Math.max(highest, row.last)
      if (row.last >= from && row.first <= to) rows.push(row)
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (lowest > from || highest < to)
    throw new UsageError(
      `${path} has the trades ${lowest} to ${highest}, the proof those from ${from} to ${to}`,
    )
  return rows
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

const zipHeaderBytes = 30
const deflated = 8

/** The text of a file: as it is, gzipped, or the first file of a zip. @throws UsageError */
function openText(path: string): Readable {
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}`)
  const head = Buffer.alloc(zipHeaderBytes)
  const fd = openSync(path, 'r')
  const length = readSync(fd, head)
  closeSync(fd)
  if (head.readUInt16BE(0) === 0x1f8b) return unpacked(createReadStream(path), createGunzip())
  if (length < zipHeaderBytes || head.readUInt32LE(0) !== 0x04034b50) return createReadStream(path)
  if (head.readUInt16LE(8) !== deflated) throw new UsageError(`${path} is packed in a way that is not known`)
  const start = zipHeaderBytes + head.readUInt16LE(26) + head.readUInt16LE(28)
  return unpacked(createReadStream(path, { start }), createInflateRaw())
}

/** An error of the file is one of the text. */
function unpacked(file: Readable, unpack: ReturnType<typeof createGunzip>): Readable {
  file.on('error', (error) => unpack.destroy(error))
  return file.pipe(unpack)
}
