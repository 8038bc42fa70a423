import { instantFault, isRecordedInstant } from './recordedInstant.ts'
import { columns, RecordingRows } from './recordingRows.ts'

/** A row that is not a tick: the number of its line in the file, its beginning in quotation marks, and why. */
export type SkippedRow = { line: number; row: string; why: SkipReason }
/** The rows that are not ticks: how many of how many, how many for each reason, and the first one. */
export type SkippedRows = {
  count: number
  rows: number
  reasons: Partial<Record<SkipReason, number>>
  first: SkippedRow | null
}

export const skipReasons = {
  cutOff: 'broken off: it has fewer columns than the header, and no line end',
  openAsk: 'its ask may be broken off: it is the last column, and has no line end',
  columns: 'it has another number of columns than the header',
  instant: 'its instant is no whole number of milliseconds',
  price: 'its price is no number above zero, or more than 2^53 units',
  quote: 'its bid or ask is no number above zero, or more than 2^53 units',
  size: 'its size is no number from zero on',
  order: 'it is older than the row before',
} as const
export type SkipReason = (typeof skipReasons)[keyof typeof skipReasons]

/** `9 of 400 rows, first line 7 "…": its price is no number above zero`; undefined if none is skipped. */
export function skippedText({ count, rows, first }: SkippedRows): string | undefined {
  return first === null
    ? undefined
    : `${count} of ${rows} rows, first line ${first.line} ${first.row}: ${first.why}`
}

export type RecordingDecimals = { priceDecimals: number; sizeDecimals: number }
type OnTick = (at: number, price: number, size: number, row: RecordingRows) => void

const exactDecimals = 8

/**
 * Reads the ticks of a recording whose text comes in pieces, and keeps none of it. A row without a price is a quote: its
 * price is the mid, rounded half up.
 */
export class RecordingReader {
  readonly decimals: RecordingDecimals
  readonly #onTick: OnTick
  readonly #quoteSize: number
  readonly #rows = new RecordingRows()
  readonly #skipped: SkippedRows = { count: 0, rows: 0, reasons: {}, first: null }
  readonly #seen = new SeenDecimals()
  #lastAt = 0
  #hasTrades = false
  /** Ticks so far. */
  ticks = 0

  /** @param quoteSize of a quote, in units; default: 1 */
  constructor(decimals: RecordingDecimals, onTick: OnTick, quoteSize = 10 ** decimals.sizeDecimals) {
    this.decimals = decimals
    this.#onTick = onTick
    this.#quoteSize = quoteSize
  }

  get kind(): 'trades' | 'quotes' {
    return this.#hasTrades ? 'trades' : 'quotes'
  }

  get skipped(): SkippedRows {
    return this.#skipped
  }

  /** Whether the rows so far have the decimals that it was given. */
  get fits(): boolean {
    const { priceDecimals, sizeDecimals } = this.#seen.decimals
    return priceDecimals === this.decimals.priceDecimals && sizeDecimals === this.decimals.sizeDecimals
  }

  /**
   * @throws RangeError if the header is not that of a recording, an instant is not between 1990 and 2100 in ms, or a size
   * exceeds 2^53 units
   */
  add(piece: string): void {
    this.#rows.add(piece)
    this.#read()
  }

  /** The text is complete. @throws RangeError as `add`, and if no row is a tick */
  end(): void {
    this.#rows.end()
    this.#read()
    if (this.ticks > 0) return
    const why = skippedText(this.#skipped)
    throw new RangeError(`not a recording: no row is a tick${why === undefined ? '' : `: skipped ${why}`}`)
  }

  #read(): void {
    const rows = this.#rows
    while (rows.next()) {
      this.#skipped.rows++
      const why = this.#readTick(rows)
      if (why !== undefined) this.#skip(rows, why)
    }
  }

  /** Passes the row on if it is a tick, otherwise returns why not. */
  #readTick(row: RecordingRows): SkipReason | undefined {
    if (!row.isWhole) return row.hasLineEnd ? skipReasons.columns : skipReasons.cutOff
    this.#seen.see(row)
    const at = row.instant(columns.ts)
    if (at === undefined || !isRecordedInstant(at)) assertNoOtherUnit(row)
    if (at === undefined) return skipReasons.instant
    const { priceDecimals } = this.decimals
    const isQuote = row.isEmpty(columns.price)
    if (!isQuote) this.#hasTrades = true
    else if (row.hasOpenAsk) return skipReasons.openAsk
    const price = isQuote ? midOf(row, priceDecimals) : row.rounded(columns.price, priceDecimals)
    if (price === undefined || price <= 0) return isQuote ? skipReasons.quote : skipReasons.price
    const size = isQuote ? this.#quoteSize : sizeOf(row, this.decimals.sizeDecimals)
    if (size === undefined || size < 0) return skipReasons.size
    if (at < this.#lastAt) return skipReasons.order
    this.#lastAt = at
    this.ticks++
    this.#onTick(at, price, size, row)
    return undefined
  }

  #skip(row: RecordingRows, why: SkipReason): void {
    const skipped = this.#skipped
    skipped.count++
    skipped.reasons[why] = (skipped.reasons[why] ?? 0) + 1
    skipped.first ??= { line: row.line, row: row.shown(), why }
  }
}

/** The most decimals of the rows so far, at most 8. */
class SeenDecimals {
  #price = 0
  #size = 0
  #hasTrades = false

  see(row: RecordingRows): void {
    if (!row.isEmpty(columns.price)) this.#hasTrades = true
    this.#size = Math.max(this.#size, row.decimals(columns.size))
    this.#price = Math.max(
      this.#price,
      row.decimals(columns.price),
      row.decimals(columns.bid),
      row.decimals(columns.ask),
    )
  }

  get decimals(): RecordingDecimals {
    // Of a quote the size is not read.
    const size = this.#hasTrades ? Math.min(this.#size, exactDecimals) : 0
    return { priceDecimals: Math.min(this.#price, exactDecimals), sizeDecimals: size }
  }
}

/** The decimals that the prices and sizes of a recording have, at most 8; its text comes in pieces. */
export class RecordingScale {
  readonly #rows = new RecordingRows()
  readonly #seen = new SeenDecimals()

  /** @throws RangeError if the header is not that of a recording */
  add(piece: string): void {
    this.#rows.add(piece)
    this.#read()
  }

  end(): RecordingDecimals {
    this.#rows.end()
    this.#read()
    return this.#seen.decimals
  }

  #read(): void {
    const row = this.#rows
    while (row.next()) if (row.isWhole) this.#seen.see(row)
  }
}

/** Seconds may have a fraction, and nanoseconds have more digits than an instant. */
const instantLike = /^\d{1,19}(\.\d+)?$/

/** @throws RangeError if the instant is one in another unit, or of another time */
function assertNoOtherUnit(row: RecordingRows): void {
  const text = row.text(columns.ts)
  const fault = instantLike.test(text) ? instantFault(text) : undefined
  if (fault !== undefined) throw new RangeError(`not a recording: line ${row.line}: ${fault}`)
}

/** @throws RangeError if it exceeds 2^53 units */
function sizeOf(row: RecordingRows, decimals: number): number | undefined {
  if (row.isEmpty(columns.size)) return 0
  const size = row.truncated(columns.size, decimals)
  if (size === undefined && /^\d+(\.\d+)?$/.test(row.text(columns.size)))
    throw new RangeError(`size ${row.text(columns.size)} exceeds 2^53 units at ${decimals} decimals`)
  return size
}

/** The mid of bid and ask, rounded half up at the product's decimals; exact, in integers. */
function midOf(row: RecordingRows, priceDecimals: number): number | undefined {
  const low = row.truncated(columns.bid, exactDecimals)
  const high = row.truncated(columns.ask, exactDecimals)
  if (low === undefined || high === undefined || low <= 0 || high <= 0) return undefined
  const unit = 2 * 10 ** (exactDecimals - priceDecimals)
  return (
    divideDown(low + high + unit / 2, unit) ??
    Number((BigInt(low) + BigInt(high) + BigInt(unit / 2)) / BigInt(unit))
  )
}

/**
 * floor(a / b) of positive integers; undefined if `a` exceeds 2^53. The quotient of two doubles is then never rounded up
 * to an integer: it is at least 1/b below it, and half a step of its size is less.
 */
export function divideDown(a: number, b: number): number | undefined {
  return Number.isSafeInteger(a) ? Math.floor(a / b) : undefined
}
