import {
  divideDown,
  RecordingReader,
  RecordingScale,
  type RecordingDecimals,
  type SkippedRows,
} from './recordingReader.ts'
import { columns, type Column as Field, type RecordingRows } from './recordingRows.ts'
import type { ReplaySettings } from './replayFingerprint.ts'

/** Whole numbers; a column whose numbers all fit may have 32 bits for each. */
export type Column = Float64Array | Uint32Array

/**
 * A recording parsed into columns: instants of the source (ms), prices and sizes as integers.
 * `skipped` counts rows that are not ticks; `skippedRows` says which and why, if it was read from a text.
 */
export type Recording = {
  at: Float64Array
  price: Column
  size: Column
  /** Only if they were asked for and a row has them; 0 where it has none. */
  bid?: Column
  ask?: Column
  priceDecimals: number
  sizeDecimals: number
  kind: 'trades' | 'quotes'
  skipped: number
  skippedRows?: SkippedRows
}

/** A recording on its own time axis: `offset` in ms from the start of a pass, closed times shortened. */
export type ScheduledRecording = {
  offset: Column
  /**
   * Prices of even and of odd passes. Passes alternate between the prices as recorded and mirrored ones, which lead back
   * from the last price to the first.
   */
  passes: readonly [even: Column, odd: Column]
  size: Column
  pauses: TradingPause[]
  /** From one pass's start to the next one's, ms. */
  period: number
  sizeDecimals: number
}
/** A closed time: the offsets of the last tick before it and of the first tick after it. */
export type TradingPause = { closesAt: number; opensAt: number }
export type ScheduledTick = { at: number; price: number; size: number }

/** Between the last tick of a pass and the first of the next. */
const passGapMs = 1000
/** Fewer ticks than this next to a pause are settlement snapshots, not a trading session. */
const sessionTicksMin = 100
/** More ticks take more memory than a venue has. */
const ticksMax = 100_000_000

/**
 * Reads a recording's CSV: header `ts_ms,price,size,bid,ask[,…]`, a field is empty if the source has no value.
 * A row without a price is a quote: its price is the mid, rounded half up, its size 1.
 * @param sizeDecimals default: 0 for quotes, the most decimals of any size for trades.
 * @param options `keepsQuotes`: with bid and ask, and quotes have no size
 * @throws RangeError if the header differs, no row is a tick, an instant is not between 1990 and 2100 in ms, or a size
 * exceeds 2^53 units.
 */
export function parseRecording(
  csv: string,
  priceDecimals: number,
  sizeDecimals?: number,
  options?: RecordingOptions,
): Recording {
  const decimals = { priceDecimals, sizeDecimals: sizeDecimals ?? decimalsOfRecording(csv).sizeDecimals }
  const parser = new RecordingParser(decimals, options)
  parser.add(csv)
  return parser.end()
}

/** The most decimals of any price, bid or ask, and of any size, at most 8. @throws RangeError if the header differs */
export function decimalsOfRecording(csv: string): RecordingDecimals {
  const scale = new RecordingScale()
  scale.add(csv)
  return scale.end()
}

/** `keepsQuotes`: bid and ask of each tick are kept, and a quote has no size; a venue counts it as 1. */
export type RecordingOptions = { keepsQuotes?: boolean }

/** Like {@link parseRecording}, of a text that comes in pieces. */
export class RecordingParser {
  readonly #reader: RecordingReader
  readonly #keepsQuotes: boolean
  #at = new Float64Array(1024)
  #price = new Float64Array(1024)
  #size = new Float64Array(1024)
  #bid = new Float64Array(0)
  #ask = new Float64Array(0)

  constructor(decimals: RecordingDecimals, { keepsQuotes = false }: RecordingOptions = {}) {
    this.#keepsQuotes = keepsQuotes
    this.#reader = new RecordingReader(
      decimals,
      (at, price, size, row) => this.#push(at, price, size, row),
      keepsQuotes ? 0 : undefined,
    )
  }

  /** @throws RangeError if it is not a recording, or a longer one than can be played */
  add(piece: string): void {
    this.#reader.add(piece)
  }

  /** @throws RangeError as `add`, and if no row is a tick */
  end(): Recording {
    const reader = this.#reader
    reader.end()
    return {
      at: this.#at.subarray(0, reader.ticks),
      price: this.#price.subarray(0, reader.ticks),
      size: this.#size.subarray(0, reader.ticks),
      ...(this.#bid.length > 0 && {
        bid: grown(this.#bid.subarray(0, reader.ticks), reader.ticks),
        ask: grown(this.#ask.subarray(0, reader.ticks), reader.ticks),
      }),
      ...reader.decimals,
      kind: reader.kind,
      skipped: reader.skipped.count,
      skippedRows: reader.skipped,
    }
  }

  #push(at: number, price: number, size: number, row: RecordingRows): void {
    const n = this.#reader.ticks - 1
    if (n >= ticksMax)
      throw new RangeError(`the recording has more than ${ticksMax} ticks: play a part of it`)
    if (n === this.#at.length) {
      this.#at = doubled(this.#at)
      this.#price = doubled(this.#price)
      this.#size = doubled(this.#size)
    }
    if (this.#keepsQuotes) this.#pushQuote(n, row)
    this.#at[n] = at
    this.#price[n] = price
    this.#size[n] = size
  }

  #pushQuote(n: number, row: RecordingRows): void {
    if (row.isEmpty(columns.bid) && row.isEmpty(columns.ask)) return
    if (this.#bid.length < this.#at.length) {
      this.#bid = grown(this.#bid, this.#at.length)
      this.#ask = grown(this.#ask, this.#at.length)
    }
    const read = (field: Field): number =>
      row.isEmpty(field) ? 0 : Math.max(0, row.rounded(field, this.#reader.decimals.priceDecimals) ?? 0)
    this.#bid[n] = read(columns.bid)
    this.#ask[n] = read(columns.ask)
  }
}

const doubled = (column: Float64Array): Float64Array<ArrayBuffer> => grown(column, column.length * 2)

function grown(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(length)
  longer.set(column)
  return longer
}

/**
 * Schedules a recording for looping: sessions are split at silences above `pauseMs`, tiny ones left out, and each pause
 * is replayed as at most `closedPauseMs` (0: as recorded). Without `periodMs` the next pass follows at once, and even
 * passes play the prices as recorded. With it a pass starts every `periodMs`, what is left of it after the last tick is a
 * pause like any other, and odd passes play the prices as recorded.
 * @throws RangeError if a pass does not fit into `periodMs`
 */
export function scheduleRecording(
  recording: Recording,
  { pauseMs, closedPauseMs, periodMs }: ReplaySettings,
): ScheduledRecording {
  const sessions = tradingSessionsOf(recording.at, pauseMs)
  const count = sessions.reduce((sum, [from, to]) => sum + to - from, 0)
  const offset = new Float64Array(count)
  const price = new Float64Array(count)
  const size = new Float64Array(count)
  const pauses: TradingPause[] = []
  let n = 0
  let clock = 0
  let previous: number | undefined
  for (const [from, to] of sessions) {
    const start = recording.at[from] ?? 0
    if (previous !== undefined) {
      const recorded = start - previous
      const opensAt = clock + (closedPauseMs === 0 ? recorded : Math.min(recorded, closedPauseMs))
      pauses.push({ closesAt: clock, opensAt })
      clock = opensAt
    }
    for (let i = from; i < to; i++) offset[n + i - from] = clock + (recording.at[i] ?? 0) - start
    price.set(recording.price.subarray(from, to), n)
    size.set(recording.size.subarray(from, to), n)
    n += to - from
    previous = recording.at[to - 1] ?? 0
    clock = offset[n - 1] ?? 0
  }
  const period = periodMs ?? clock + passGapMs
  if (clock >= period) throw new RangeError(`a pass takes ${clock} ms, longer than periodMs`)
  if (period - clock > pauseMs) pauses.push({ closesAt: clock, opensAt: period })
  const mirrored = mirror(price)
  return {
    offset,
    passes: periodMs === undefined ? [price, mirrored] : [mirrored, price],
    size,
    pauses,
    period,
    sizeDecimals: recording.sizeDecimals,
  }
}

/** How many ticks of an endless replay have `at ≤ t`; their numbers are 0 … count − 1. Zero before the epoch. */
export function tickCountAt(schedule: ScheduledRecording, epoch: number, t: number): number {
  if (t < epoch) return 0
  const pass = Math.floor((t - epoch) / schedule.period)
  return pass * schedule.offset.length + upperBound(schedule.offset, t - epoch - pass * schedule.period)
}

/** The nth tick (from 0) of an endless replay, in constant time. */
export function tickAt(schedule: ScheduledRecording, epoch: number, n: number): ScheduledTick {
  const pass = Math.floor(n / schedule.offset.length)
  const i = n - pass * schedule.offset.length
  const prices = schedule.passes[pass % 2 === 0 ? 0 : 1]
  return {
    at: epoch + pass * schedule.period + (schedule.offset[i] ?? 0),
    price: prices[i] ?? 0,
    size: schedule.size[i] ?? 0,
  }
}

/**
 * Whether a replayed product trades at `t`, and when that changes. Open: `closesAt` is the last tick before the
 * next pause (null if there is none). Closed: `opensAt` is the first tick after the pause.
 */
export function tradingHoursAt(
  schedule: ScheduledRecording,
  epoch: number,
  t: number,
): { open: boolean; opensAt: number | null; closesAt: number | null } {
  const first = schedule.pauses[0]
  if (!first) return { open: true, opensAt: null, closesAt: null }
  const start = epoch + Math.floor((t - epoch) / schedule.period) * schedule.period
  for (const pause of schedule.pauses) {
    if (t <= start + pause.closesAt) return { open: true, opensAt: null, closesAt: start + pause.closesAt }
    if (t < start + pause.opensAt) return { open: false, opensAt: start + pause.opensAt, closesAt: null }
  }
  return { open: true, opensAt: null, closesAt: start + schedule.period + first.closesAt }
}

/** Half-open index ranges of the sessions between pauses, without those of only a few ticks. */
function tradingSessionsOf(at: Float64Array, pauseMs: number): [number, number][] {
  const ranges: [number, number][] = []
  let from = 0
  for (let i = 1; i <= at.length; i++) {
    if (i < at.length && (at[i] ?? 0) - (at[i - 1] ?? 0) <= pauseMs) continue
    ranges.push([from, i])
    from = i
  }
  if (ranges.length === 1) return ranges
  const sessions = ranges.filter(([start, end]) => end - start >= sessionTicksMin)
  if (sessions.length === 0) throw new RangeError('not a recording: every session is shorter than 100 ticks')
  return sessions
}

/** floor((2·L·F + R) / (2·R)): the price for R in a mirrored pass, which ends where the recording begins. */
function mirror(prices: Float64Array): Float64Array {
  const [first = 0, last = 0] = [prices[0], prices.at(-1)]
  const exact = (price: number): number =>
    Number((2n * BigInt(last) * BigInt(first) + BigInt(price)) / (2n * BigInt(price)))
  return prices.map((price) => divideDown(2 * last * first + price, 2 * price) ?? exact(price))
}

/** How many of an ascending column are ≤ value. */
function upperBound(column: Column, value: number): number {
  let low = 0
  let high = column.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((column[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}
