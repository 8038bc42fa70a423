import { readFileSync, statSync } from 'node:fs'
import { UsageError } from '../command.ts'
import type { Format, ForeignRow } from './format.ts'

/** Milliseconds of the hour, ask and bid in points, and two volumes. */
const rowBytes = 20
/** An hour has some 100 kB. */
const fileBytesMax = 10_000_000
/** Months count from 00. */
const place = /([A-Z]{6})[/\\](\d{4})[/\\](\d\d)[/\\](\d\d)[/\\](\d\d)h_ticks\.bi5$/

const majors = new Set(['USD', 'EUR', 'GBP', 'CHF', 'CAD', 'AUD', 'NZD', 'JPY'])
const metals = new Set(['XAU', 'XAG'])

/** Dukascopy's own files: an hour of quotes, whose instant and symbol only its path says. */
export const dukascopyBi5: Format = {
  name: 'Dukascopy bi5',
  example: 'EURUSD/2019/01/04/00h_ticks.bi5',
  likeness: () => 0,
  file: /\.bi5$/,
  read: async function* ({ path }) {
    const [, symbol = '', year, month, day, hour] = place.exec(path) ?? []
    if (symbol === '')
      throw new UsageError(
        `${path} does not say of which hour it is`,
        'keep its folders: EURUSD/2019/01/04/00h_ticks.bi5',
      )
    const decimals = decimalsOf(symbol)
    if (decimals === undefined)
      throw new UsageError(
        `the decimals of ${symbol} are not known`,
        'of bi5 files, pairs of major currencies, gold and silver are read',
      )
    const begin = Date.UTC(Number(year), Number(month), Number(day), Number(hour))
    yield rowsOf(await unpacked(path), begin, decimals, symbol)
  },
}

function decimalsOf(symbol: string): number | undefined {
  const [base, quote] = [symbol.slice(0, 3), symbol.slice(3)]
  if (metals.has(base)) return quote === 'USD' ? 3 : undefined
  if (!majors.has(base) || !majors.has(quote)) return undefined
  return quote === 'JPY' ? 3 : 5
}

/** @throws UsageError if it is no such file */
async function unpacked(path: string): Promise<DataView> {
  if (statSync(path).size > fileBytesMax)
    throw new UsageError(`${path} is too large for an hour of ticks`, '')
  const packed = readFileSync(path)
  if (packed.length === 0) throw new UsageError(`${path} is empty: an hour without ticks`, '')
  // Nothing else needs it, and it takes 3 MB.
  const { decompress } = await import('lzma1')
  try {
    const { buffer, byteOffset, byteLength } = decompress(packed)
    if (byteLength % rowBytes === 0) return new DataView(buffer, byteOffset, byteLength)
  } catch {
    // As one that has half a row.
  }
  throw new UsageError(`${path} is damaged or cut off`, '')
}

function rowsOf(data: DataView, begin: number, decimals: number, symbol: string): ForeignRow[] {
  const priceAt = (offset: number): string => {
    const digits = String(data.getUint32(offset)).padStart(decimals + 1, '0')
    return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  }
  return Array.from({ length: data.byteLength / rowBytes }, (_, i) => {
    const from = i * rowBytes
    const at = begin + data.getUint32(from)
    const [ask, bid] = [priceAt(from + 4), priceAt(from + 8)]
    return { line: i + 1, text: `${at},${bid},${ask}`, at, price: '', size: '', bid, ask, symbol }
  })
}
