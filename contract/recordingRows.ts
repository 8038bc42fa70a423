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
/** Digits that a number holds exactly. */
const exactDigits = 15
/** No row is so long; a file without line ends must not be kept whole. */
const lineBytesMax = 1_000_000
const shownLength = 60
/** So many characters are read at once. */
const chunkLength = 32 * 1024
/** Of further columns the place in the row is not kept. */
const placesKept = 16
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The rows of a recording that comes in pieces, read in place: a day has hundreds of thousands, and a text for each field
 * takes longer than the rest. Characters of a text take twice as long to look at as bytes.
 */
export class RecordingRows {
  /** What has arrived and is not in the bytes yet. */
  #text = ''
  #bytes = new Uint8Array(chunkLength * 4)
  #length = 0
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
  readonly #starts = new Int32Array(placesKept)
  readonly #ends = new Int32Array(placesKept)

  /** Adds the next piece of the text. @throws RangeError if the file is no recording */
  add(piece: string): void {
    this.#text += this.#isBegun ? piece : startOfText(piece)
    this.#isBegun ||= piece !== ''
  }

  /** The text is complete: its last row may have no line end. */
  end(): void {
    this.#isEnded = true
  }

  /**
   * Moves to the next row that is not empty; false after the last one that has arrived.
   * @throws RangeError if the header is not that of a recording, or a line too long for one
   */
  next(): boolean {
    do {
      while (this.#readRow()) {
        if (this.#names === null) this.#names = namesOf(this.#rowText())
        else if (this.#rowEnd > this.#rowStart) return true
      }
    } while (this.#takeText())
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
    return this.#slice(this.#starts[column] ?? 0, this.#ends[column] ?? 0)
  }

  /** The digits after the point, without zeros at the end. */
  decimals(column: Column): number {
    const bytes = this.#bytes
    const [from, to] = [this.#starts[column] ?? 0, this.#ends[column] ?? 0]
    let point = -1
    let last = -1
    for (let i = from; i < to; i++) {
      const char = bytes[i]
      if (char === pointCode) point = last = i
      else if (char === smallE || char === largeE) return decimalsOf(plainDecimal(this.text(column)))
      else if (char !== zero) last = i
    }
    return point < 0 ? 0 : last - point
  }

  /** The number in any column; NaN if it is none. */
  numberAt(index: number): number {
    const whole = index < placesKept ? this.#whole(index) : undefined
    return whole ?? Number(this.#rowText().split(',')[index] ?? '')
  }

  /** A whole number of milliseconds; undefined if it is anything else. */
  instant(column: Column): number | undefined {
    return this.#whole(column)
  }

  /** Like {@link parseRounded}, also with an exponent. */
  rounded(column: Column, decimals: number): number | undefined {
    const units = this.#scaled(column, decimals, 5)
    if (units !== undefined) return units
    const text = this.text(column)
    return parseRounded(text, decimals) ?? parseRounded(plainDecimal(text), decimals)
  }

  /** Like {@link parseTruncated}, also with an exponent. */
  truncated(column: Column, decimals: number): number | undefined {
    const units = this.#scaled(column, decimals, 0)
    if (units !== undefined) return units
    const text = this.text(column)
    return parseTruncated(text, decimals) ?? parseTruncated(plainDecimal(text), decimals)
  }

  #whole(index: number): number | undefined {
    const bytes = this.#bytes
    const [from, to] = [this.#starts[index] ?? 0, this.#ends[index] ?? 0]
    if (from === to || to - from > exactDigits) return undefined
    let number = 0
    for (let i = from; i < to; i++) {
      const digit = (bytes[i] ?? 0) - zero
      if (digit < 0 || digit > 9) return undefined
      number = number * 10 + digit
    }
    return number
  }

  /**
   * Digits with at most one point, as nearly all fields are, in units; undefined: read its text.
   * @param half what is added to the first digit that is cut off: 5 rounds up from a half on
   */
  #scaled(column: Column, decimals: number, half: 0 | 5): number | undefined {
    const bytes = this.#bytes
    const [from, to] = [this.#starts[column] ?? 0, this.#ends[column] ?? 0]
    if (from === to || to - from > exactDigits) return undefined
    let digits = 0
    let point = to
    for (let i = from; i < to; i++) {
      const char = bytes[i] ?? 0
      if (char === pointCode && point === to && i > from) point = i
      else if (char < zero || char > nine) return undefined
      else digits = digits * 10 + (char - zero)
    }
    // A point needs digits behind it.
    if (point === to - 1) return undefined
    const excess = Math.max(0, to - point - 1) - decimals
    if (excess > 0) return Math.floor((digits + half * 10 ** (excess - 1)) / 10 ** excess)
    const units = excess === 0 ? digits : digits * 10 ** -excess
    return Number.isSafeInteger(units) ? units : undefined
  }

  #rowText(): string {
    return this.#slice(this.#rowStart, this.#rowEnd)
  }

  #slice(from: number, to: number): string {
    return decoder.decode(this.#bytes.subarray(from, to))
  }

  /** Moves some of the text that has arrived behind the bytes that are left; false if there is none. */
  #takeText(): boolean {
    if (this.#text === '') return false
    const rest = this.#length - this.#from
    if (rest > lineBytesMax)
      throw new RangeError(`not a recording: line ${this.#line + 1} has more than ${lineBytesMax} characters`)
    const known = this.#bytes
    if (known.length < rest + chunkLength * 3) this.#bytes = new Uint8Array(rest * 2 + chunkLength * 3)
    this.#bytes.set(known.subarray(this.#from, this.#length))
    const { read, written } = encoder.encodeInto(startOf(this.#text, chunkLength), this.#bytes.subarray(rest))
    this.#text = this.#text.slice(read)
    this.#length = rest + written
    this.#from = 0
    return true
  }

  /** Notes where the fields of the next row are; false if it has not arrived, or there is none. */
  #readRow(): boolean {
    const bytes = this.#bytes
    const length = this.#length
    const from = this.#from
    let column = 0
    let start = from
    let at = from
    for (; at < length; at++) {
      const char = bytes[at]
      if (char === newline) break
      if (char !== comma) continue
      if (column < placesKept) this.#setField(column, start, at)
      column++
      start = at + 1
    }
    this.#hasLineEnd = at < length
    if (!this.#hasLineEnd && (!this.#isEnded || this.#text !== '' || from === at)) return false
    this.#line++
    this.#from = Math.min(at + 1, length)
    this.#rowStart = from
    this.#rowEnd = at > from && bytes[at - 1] === carriageReturn ? at - 1 : at
    this.#fields = column + 1
    if (column < placesKept) this.#setField(column++, Math.min(start, this.#rowEnd), this.#rowEnd)
    while (column < columnCount) this.#setField(column++, this.#rowEnd, this.#rowEnd)
    return true
  }

  #setField(column: number, start: number, end: number): void {
    this.#starts[column] = start
    this.#ends[column] = end
  }
}

/** The first characters of a text, none of them cut in two. */
function startOf(text: string, length: number): string {
  if (text.length <= length) return text
  return text.slice(0, (text.charCodeAt(length - 1) & 0xfc00) === 0xd800 ? length - 1 : length)
}

function decimalsOf(text: string): number {
  const at = text.indexOf('.')
  return at < 0 ? 0 : text.replace(/0+$/, '').length - at - 1
}

const shownText = (text: string): string =>
  JSON.stringify(text.length > shownLength ? `${text.slice(0, shownLength)}…` : text)

const hint = '; "uptick convert" reads other files'

/** What is usual in files of others, and wrong in a recording. */
const headerFaults: readonly (readonly [RegExp, string])[] = [
  [/\r/, 'its lines end in a carriage return alone'],
  [/["']/, 'its fields are in quotation marks'],
  [/^\s*#/, 'it begins with a comment'],
  [/;/, 'its columns are separated by semicolons'],
  [/\t/, 'its columns are separated by tabs'],
  [/^\d/, `it has no header${hint}`],
  [/^\s|\s$|, | ,/, 'it has spaces beside its names'],
]

/** The names of the columns. @throws RangeError if they are not those of a recording */
function namesOf(line: string): readonly string[] {
  if (`${line},`.startsWith(`${header},`)) return line.split(',')
  const names = line.split(',')
  const fault = header.split(',').every((name) => names.includes(name))
    ? `its columns are in another order${hint}`
    : headerFaults.find(([pattern]) => pattern.test(line))?.[1]
  const why = fault === undefined ? hint : `: ${fault}`
  throw new RangeError(`not a recording: bad header ${shownText(line)}${why}`)
}
