import { plainDecimal } from './decimalText.ts'
import { startOfText } from './fileText.ts'
import { parseRounded, parseTruncated } from './price.ts'

/** The columns of a recording, in their order; further ones are ignored. */
export const columns = { ts: 0, price: 1, size: 2, bid: 3, ask: 4 } as const
export type Column = (typeof columns)[keyof typeof columns]

const columnCount = Object.keys(columns).length
const header = 'ts_ms,price,size,bid,ask'
const code = (char: string): number => char.charCodeAt(0)
const [newline, carriageReturn, comma, pointCode] = [code('\n'), code('\r'), code(','), code('.')]
const [zero, nine, smallE, largeE] = [code('0'), code('9'), code('e'), code('E')]
/** Digits of an instant that a number holds exactly. */
const instantDigitsMax = 15
/** No row is so long; a file without line ends must not be kept whole. */
const lineLengthMax = 1_000_000
const shownLength = 60

/**
 * The rows of a recording that comes in pieces, read in place: a day has hundreds of thousands, and a text for each field
 * takes longer than the rest.
 */
export class RecordingRows {
  #text = ''
  /** Where the row after this one begins. */
  #from = 0
  #rowStart = 0
  #rowEnd = 0
  #hasLineEnd = true
  #isBegun = false
  #isEnded = false
  /** Names of the columns; null before the header. */
  #names: readonly string[] | null = null
  #line = 0
  #fields = 0
  readonly #starts = new Int32Array(columnCount)
  readonly #ends = new Int32Array(columnCount)

  /** Adds the next piece of the text. @throws RangeError if the file is no recording */
  add(piece: string): void {
    const rest = this.#text.slice(this.#from)
    if (rest.length > lineLengthMax)
      throw new RangeError(
        `not a recording: line ${this.#line + 1} has more than ${lineLengthMax} characters`,
      )
    this.#text = this.#isBegun || piece === '' ? rest + piece : startOfText(piece)
    this.#isBegun ||= piece !== ''
    this.#from = 0
  }

  /** The text is complete: its last row may have no line end. */
  end(): void {
    this.#isEnded = true
  }

  /**
   * Moves to the next row that is not empty; false after the last one that has arrived.
   * @throws RangeError if the header is not that of a recording
   */
  next(): boolean {
    while (this.#readRow()) {
      if (this.#names === null) this.#names = namesOf(this.#rowText())
      else if (this.#rowEnd > this.#rowStart) return true
    }
    if (this.#isEnded && this.#names === null) throw new RangeError('not a recording: it is empty')
    return false
  }

  /** The number of the row's line in the file, from 1. */
  get line(): number {
    return this.#line
  }

  /** Whether the row has as many columns as the header. */
  get isWhole(): boolean {
    return this.#fields === this.#names?.length
  }

  /** False for the last row of a file that does not end with a newline. */
  get hasLineEnd(): boolean {
    return this.#hasLineEnd
  }

  /** Whether its ask may have had more digits: it is the last column, and the file ends with it. */
  get hasOpenAsk(): boolean {
    return !this.#hasLineEnd && this.#fields === columnCount && !this.isEmpty(columns.ask)
  }

  /** Where the column of this name is; −1 if there is none. */
  indexOf(name: string): number {
    return this.#names?.indexOf(name) ?? -1
  }

  /** The row for people: its beginning, in quotation marks. */
  shown(): string {
    return shownText(this.#rowText())
  }

  isEmpty(column: Column): boolean {
    return this.#starts[column] === this.#ends[column]
  }

  text(column: Column): string {
    return this.#text.slice(this.#starts[column], this.#ends[column])
  }

  /** The text of any column, which takes longer than of the first ones. */
  textAt(index: number): string {
    return this.#rowText().split(',')[index] ?? ''
  }

  /** The digits after the point, without zeros at the end. */
  decimals(column: Column): number {
    const [from = 0, to = 0] = [this.#starts[column], this.#ends[column]]
    let [point, last] = [-1, -1]
    for (let i = from; i < to; i++) {
      const char = this.#text.charCodeAt(i)
      if (char === pointCode) point = last = i
      else if (char === smallE || char === largeE) return decimalsOf(plainDecimal(this.text(column)))
      else if (char !== zero) last = i
    }
    return point < 0 ? 0 : last - point
  }

  /** A whole number of milliseconds; undefined if it is anything else. */
  instant(column: Column): number | undefined {
    const [from = 0, to = 0] = [this.#starts[column], this.#ends[column]]
    if (from === to || to - from > instantDigitsMax) return undefined
    let at = 0
    for (let i = from; i < to; i++) {
      const char = this.#text.charCodeAt(i)
      if (char < zero || char > nine) return undefined
      at = at * 10 + (char - zero)
    }
    return at
  }

  /** Like {@link parseRounded}, also with an exponent. */
  rounded(column: Column, decimals: number): number | undefined {
    return (
      parseRounded(this.#text, decimals, this.#starts[column], this.#ends[column]) ??
      parseRounded(plainDecimal(this.text(column)), decimals)
    )
  }

  /** Like {@link parseTruncated}, also with an exponent. */
  truncated(column: Column, decimals: number): number | undefined {
    return (
      parseTruncated(this.#text, decimals, this.#starts[column], this.#ends[column]) ??
      parseTruncated(plainDecimal(this.text(column)), decimals)
    )
  }

  #rowText(): string {
    return this.#text.slice(this.#rowStart, this.#rowEnd)
  }

  /** Notes where the fields of the next row are; false if it has not arrived, or there is none. */
  #readRow(): boolean {
    const text = this.#text
    const from = this.#from
    let column = 0
    let start = from
    let at = from
    for (; at < text.length; at++) {
      const char = text.charCodeAt(at)
      if (char === newline) break
      if (char !== comma) continue
      if (column < columnCount) this.#setField(column, start, at)
      column++
      start = at + 1
    }
    this.#hasLineEnd = at < text.length
    if (!this.#hasLineEnd && (!this.#isEnded || from === at)) return false
    this.#line++
    this.#from = at + 1
    this.#rowStart = from
    this.#rowEnd = at > from && text.charCodeAt(at - 1) === carriageReturn ? at - 1 : at
    this.#fields = column + 1
    if (column < columnCount) this.#setField(column++, Math.min(start, this.#rowEnd), this.#rowEnd)
    while (column < columnCount) this.#setField(column++, this.#rowEnd, this.#rowEnd)
    return true
  }

  #setField(column: number, start: number, end: number): void {
    this.#starts[column] = start
    this.#ends[column] = end
  }
}

function decimalsOf(text: string): number {
  const at = text.indexOf('.')
  return at < 0 ? 0 : text.replace(/0+$/, '').length - at - 1
}

const shownText = (text: string): string =>
  JSON.stringify(text.length > shownLength ? `${text.slice(0, shownLength)}…` : text)

/** What is usual in files of others, and wrong in a recording. */
const headerFaults: readonly (readonly [RegExp, string])[] = [
  [/\r/, 'its lines end in a carriage return alone'],
  [/["']/, 'its fields are in quotation marks'],
  [/^\s*#/, 'it begins with a comment'],
  [/;/, 'its columns are separated by semicolons'],
  [/\t/, 'its columns are separated by tabs'],
  [/^\d/, 'it has no header'],
  [/^\s|\s$|, | ,/, 'it has spaces beside its names'],
]

/** The names of the columns. @throws RangeError if they are not those of a recording */
function namesOf(line: string): readonly string[] {
  if (`${line},`.startsWith(`${header},`)) return line.split(',')
  const names = line.split(',')
  if (header.split(',').every((name) => names.includes(name)))
    throw new RangeError(
      `not a recording: its columns are in another order: ${shownText(line)}; "uptick convert" puts them right`,
    )
  const fault = headerFaults.find(([pattern]) => pattern.test(line))
  throw new RangeError(`not a recording: bad header ${shownText(line)}${fault ? `: ${fault[1]}` : ''}`)
}
