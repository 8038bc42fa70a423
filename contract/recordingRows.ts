import { parseRounded, parseTruncated } from './price.ts'

/** The columns of a recording, in their order; further ones are ignored. */
export const columns = { ts: 0, price: 1, size: 2, bid: 3, ask: 4 } as const
export type Column = (typeof columns)[keyof typeof columns]

const columnCount = Object.keys(columns).length
const [newline, carriageReturn, comma, point, zero, nine] = ['\n', '\r', ',', '.', '0', '9'].map((char) =>
  char.charCodeAt(0),
) as [number, number, number, number, number, number]
/** Digits of an instant that a number holds exactly. */
const instantDigitsMax = 15

/** The rows of a recording, read in place: a day has hundreds of thousands, and a text for each field takes longer than the rest. */
export class RecordingRows {
  readonly #csv: string
  /** Where the row after this one begins. */
  #from: number
  readonly #starts = new Int32Array(columnCount)
  readonly #ends = new Int32Array(columnCount)

  constructor(csv: string) {
    this.#csv = csv
    const headerEnd = csv.indexOf('\n')
    this.#from = headerEnd < 0 ? csv.length : headerEnd + 1
  }

  /** Moves to the next row that is not empty; false after the last one. */
  next(): boolean {
    const csv = this.#csv
    while (this.#from < csv.length) {
      const from = this.#from
      const end = this.#readRow(from)
      if (end > from) return true
    }
    return false
  }

  isEmpty(column: Column): boolean {
    return this.#starts[column] === this.#ends[column]
  }

  text(column: Column): string {
    return this.#csv.slice(this.#starts[column], this.#ends[column])
  }

  /** The digits after the point. */
  decimals(column: Column): number {
    const [from = 0, to = 0] = [this.#starts[column], this.#ends[column]]
    for (let i = from; i < to; i++) if (this.#csv.charCodeAt(i) === point) return to - i - 1
    return 0
  }

  /** A whole number of milliseconds; undefined if it is anything else. */
  instant(column: Column): number | undefined {
    const [from = 0, to = 0] = [this.#starts[column], this.#ends[column]]
    if (from === to || to - from > instantDigitsMax) return undefined
    let at = 0
    for (let i = from; i < to; i++) {
      const char = this.#csv.charCodeAt(i)
      if (char < zero || char > nine) return undefined
      at = at * 10 + (char - zero)
    }
    return at
  }

  /** As {@link parseRounded}. */
  rounded(column: Column, decimals: number): number | undefined {
    return parseRounded(this.#csv, decimals, this.#starts[column], this.#ends[column])
  }

  /** As {@link parseTruncated}. */
  truncated(column: Column, decimals: number): number | undefined {
    return parseTruncated(this.#csv, decimals, this.#starts[column], this.#ends[column])
  }

  /** Notes where the fields of the row at `from` are. @returns where it ends */
  #readRow(from: number): number {
    const csv = this.#csv
    let column = 0
    let start = from
    let at = from
    for (; at < csv.length; at++) {
      const char = csv.charCodeAt(at)
      if (char === newline) break
      if (char !== comma || column === columnCount) continue
      this.#setField(column++, start, at)
      start = at + 1
    }
    this.#from = at + 1
    const end = at > from && csv.charCodeAt(at - 1) === carriageReturn ? at - 1 : at
    if (column < columnCount) this.#setField(column++, Math.min(start, end), end)
    while (column < columnCount) this.#setField(column++, end, end)
    return end
  }

  #setField(column: number, start: number, end: number): void {
    this.#starts[column] = start
    this.#ends[column] = end
  }
}
