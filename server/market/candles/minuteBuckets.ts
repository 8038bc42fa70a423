import { bucketOf, type Candle } from '../../../contract/candles.ts'
import { hourMs, minuteMs } from '../../../contract/time.ts'
import { addMultipliedTo, addSumTo, addTo, toFloat, type ExactSum } from './exactSum.ts'

/** Minutes stay in memory for a day, and for one more hour so that they start at a full hour. */
const memoryMs = 25 * hourMs

/** The first minute in memory. */
export const memoryFrom = (now: number): number => bucketOf(now - memoryMs, hourMs)

/** One minute of trading in units; volume and turnover are exact sums. */
export type MinuteBucket = {
  openAt: number
  open: number
  high: number
  low: number
  close: number
  volume: ExactSum
  turnover: ExactSum
  lastSeq: number
}

const fieldsPerRow = 10
const initialRows = 16

/**
 * A product's minutes that had ticks, ascending, as rows of one typed array: a day of five thousand products has to
 * fit in memory, and adding a tick must not allocate.
 */
export class MinuteBuckets {
  #cells = new Float64Array(initialRows * fieldsPerRow)
  #first = 0
  #end = 0
  readonly #scratch: ExactSum = { high: 0, low: 0 }
  /** The last price before the oldest minute here, 0 if there is none: the base of a day's change. */
  closeBefore = 0

  /** How many minutes are here; rows are numbered from 0, oldest first. */
  get count(): number {
    return this.#end - this.#first
  }

  /** Adds a tick that is not older than any before it. */
  add(seq: number, at: number, price: number, size: number): void {
    const openAt = bucketOf(at, minuteMs)
    let row = (this.#end - 1) * fieldsPerRow
    if (this.count === 0 || this.#cell(row) !== openAt) {
      row = this.#newRow()
      this.#cells.set([openAt, price, price, price], row)
    }
    if (price > this.#cell(row + 2)) this.#cells[row + 2] = price
    if (price < this.#cell(row + 3)) this.#cells[row + 3] = price
    this.#cells[row + 4] = price
    this.#cells[row + 9] = seq
    const sum = this.#scratch
    sum.high = this.#cell(row + 5)
    sum.low = this.#cell(row + 6)
    addTo(sum, size)
    this.#cells[row + 5] = sum.high
    this.#cells[row + 6] = sum.low
    sum.high = this.#cell(row + 7)
    sum.low = this.#cell(row + 8)
    addMultipliedTo(sum, price, size)
    this.#cells[row + 7] = sum.high
    this.#cells[row + 8] = sum.low
  }

  /** Appends a whole minute, later than any before it. */
  push(bucket: MinuteBucket): void {
    const { openAt, open, high, low, close, volume, turnover, lastSeq } = bucket
    const row = this.#newRow()
    this.#cells.set(
      [openAt, open, high, low, close, volume.high, volume.low, turnover.high, turnover.low, lastSeq],
      row,
    )
  }

  openAt(i: number): number {
    return this.#cell((this.#first + i) * fieldsPerRow)
  }
  open(i: number): number {
    return this.#cell((this.#first + i) * fieldsPerRow + 1)
  }
  high(i: number): number {
    return this.#cell((this.#first + i) * fieldsPerRow + 2)
  }
  low(i: number): number {
    return this.#cell((this.#first + i) * fieldsPerRow + 3)
  }
  close(i: number): number {
    return this.#cell((this.#first + i) * fieldsPerRow + 4)
  }
  lastSeq(i: number): number {
    return this.#cell((this.#first + i) * fieldsPerRow + 9)
  }
  addVolumeTo(sum: ExactSum, i: number): void {
    const row = (this.#first + i) * fieldsPerRow
    addSumTo(sum, this.#cell(row + 5), this.#cell(row + 6))
  }
  addTurnoverTo(sum: ExactSum, i: number): void {
    const row = (this.#first + i) * fieldsPerRow
    addSumTo(sum, this.#cell(row + 7), this.#cell(row + 8))
  }

  bucket(i: number): MinuteBucket {
    const row = (this.#first + i) * fieldsPerRow
    return {
      openAt: this.openAt(i),
      open: this.open(i),
      high: this.high(i),
      low: this.low(i),
      close: this.close(i),
      volume: { high: this.#cell(row + 5), low: this.#cell(row + 6) },
      turnover: { high: this.#cell(row + 7), low: this.#cell(row + 8) },
      lastSeq: this.lastSeq(i),
    }
  }

  candle(i: number): Candle {
    return candleOfMinute(this.bucket(i))
  }

  /** Index of the first row that opens at `t` or later. */
  indexFrom(t: number): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.openAt(middle) < t) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Drops the minutes that opened before `t`. */
  dropBefore(t: number): void {
    const dropped = this.indexFrom(t)
    if (dropped > 0) this.closeBefore = this.close(dropped - 1)
    this.#first += dropped
  }

  /** Drops the minutes that opened at `t` or later. */
  dropFrom(t: number): void {
    this.#end = this.#first + this.indexFrom(t)
  }

  #newRow(): number {
    if ((this.#end + 1) * fieldsPerRow > this.#cells.length) this.#grow()
    this.#cells.fill(0, this.#end * fieldsPerRow, (this.#end + 1) * fieldsPerRow)
    return this.#end++ * fieldsPerRow
  }

  /** Moves the live rows to the front of a new array of twice the size. */
  #grow(): void {
    const live = this.#cells.subarray(this.#first * fieldsPerRow, this.#end * fieldsPerRow)
    const rows = Math.max(initialRows, this.count * 2)
    const cells = new Float64Array(rows * fieldsPerRow)
    cells.set(live)
    this.#end = this.count
    this.#first = 0
    this.#cells = cells
  }

  #cell(i: number): number {
    return this.#cells[i] ?? 0
  }
}

/** A minute as a candle in units. */
export const candleOfMinute = (bucket: MinuteBucket): Candle => ({
  openAt: bucket.openAt,
  open: bucket.open,
  high: bucket.high,
  low: bucket.low,
  close: bucket.close,
  volume: toFloat(bucket.volume.high, bucket.volume.low),
  lastSeq: bucket.lastSeq,
})
