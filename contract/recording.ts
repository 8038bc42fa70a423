import { columns, RecordingRows } from './recordingRows.ts'
import type { ReplaySettings } from './replayFingerprint.ts'

/**
 * A recording parsed into columns: instants of the source (ms), prices and sizes as integers.
 * `skipped` counts rows that are not ticks: unreadable, not above zero, or older than the row before.
 */
export type Recording = {
  at: Float64Array
  price: Float64Array
  size: Float64Array
  priceDecimals: number
  sizeDecimals: number
  kind: 'trades' | 'quotes'
  skipped: number
}

/** A recording on its own time axis: `offset` in ms from the start of a pass, closed times shortened. */
export type ScheduledRecording = {
  offset: Float64Array
  /**
   * Prices of even and of odd passes. Passes alternate between the prices as recorded and mirrored ones, which lead back
   * from the last price to the first.
   */
  passes: readonly [even: Float64Array, odd: Float64Array]
  size: Float64Array
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
const exactDecimals = 8
/** Takes a few milliseconds, on a slow machine some hundred. */
const rowsPerStep = 10_000

/**
 * Reads a recording's CSV: header `ts_ms,price,size,bid,ask[,…]`, a field is empty if the source has no value.
 * A row without a price is a quote: its price is the mid, rounded half up, its size 1.
 * @param sizeDecimals default: 0 for quotes, the most decimals of any size for trades.
 * @throws RangeError if the header differs, no row is a tick, or a size exceeds 2^53 units.
 */
export function parseRecording(csv: string, priceDecimals: number, sizeDecimals?: number): Recording {
  const steps = parseRecordingInSteps(csv, priceDecimals, sizeDecimals)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** As {@link parseRecording}, but pauses every {@link rowsPerStep} rows, so that a caller can do other work in between. */
export function* parseRecordingInSteps(
  csv: string,
  priceDecimals: number,
  sizeDecimals?: number,
): Generator<undefined, Recording> {
  if (!csv.startsWith('ts_ms,price,size,bid,ask')) throw new RangeError('not a recording: bad header')
  const scale = sizeDecimals ?? (yield* sizeScaleOf(csv))
  const lines = countLines(csv)
  const at = new Float64Array(lines)
  const price = new Float64Array(lines)
  const size = new Float64Array(lines)
  let rows = 0
  let count = 0
  let quotes = true
  const row = new RecordingRows(csv)
  while (row.next()) {
    rows++
    if (rows % rowsPerStep === 0) yield
    if (!row.isEmpty(columns.price)) quotes = false
    const tick = parseRow(row, priceDecimals, scale)
    if (!tick || (count > 0 && tick.at < (at[count - 1] ?? 0))) continue
    at[count] = tick.at
    price[count] = tick.price
    size[count] = tick.size
    count++
  }
  if (count === 0) throw new RangeError('not a recording: no row is a tick')
  return {
    at: at.subarray(0, count),
    price: price.subarray(0, count),
    size: size.subarray(0, count),
    priceDecimals,
    sizeDecimals: scale,
    kind: quotes ? 'quotes' : 'trades',
    skipped: rows - count,
  }
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

/** The n-th tick (from 0) of an endless replay, in constant time. */
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

function parseRow(
  row: RecordingRows,
  priceDecimals: number,
  sizeDecimals: number,
): ScheduledTick | undefined {
  const at = row.instant(columns.ts)
  const isQuote = row.isEmpty(columns.price)
  const price = isQuote ? midOf(row, priceDecimals) : row.rounded(columns.price, priceDecimals)
  if (at === undefined || price === undefined || price <= 0) return undefined
  if (isQuote) return { at, price, size: 10 ** sizeDecimals }
  const size = row.isEmpty(columns.size) ? 0 : row.truncated(columns.size, sizeDecimals)
  if (size === undefined && /^\d+(\.\d+)?$/.test(row.text(columns.size))) {
    throw new RangeError(`size ${row.text(columns.size)} exceeds 2^53 units at ${sizeDecimals} decimals`)
  }
  return size === undefined || size < 0 ? undefined : { at, price, size }
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
function divideDown(a: number, b: number): number | undefined {
  return Number.isSafeInteger(a) ? Math.floor(a / b) : undefined
}

/** The most decimals of any trade's size; 0 if all rows are quotes. */
function* sizeScaleOf(csv: string): Generator<undefined, number> {
  let most = 0
  let quotes = true
  let rows = 0
  const row = new RecordingRows(csv)
  while (row.next()) {
    if (++rows % rowsPerStep === 0) yield
    if (!row.isEmpty(columns.price)) quotes = false
    most = Math.max(most, row.decimals(columns.size))
  }
  return quotes ? 0 : Math.min(most, exactDecimals)
}

function countLines(csv: string): number {
  let count = 1
  for (let at = csv.indexOf('\n'); at >= 0; at = csv.indexOf('\n', at + 1)) count++
  return count
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
function upperBound(column: Float64Array, value: number): number {
  let low = 0
  let high = column.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((column[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}
