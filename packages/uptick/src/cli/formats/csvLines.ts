const [zero, space, lastPlain] = ['0', ' ', '~'].map((char) => char.charCodeAt(0)) as [number, number, number]
/** More digits no number holds exactly. */
const exactDigitsMax = 16

/** How the lines of a table are split; `split`: what else is done with lines that have quotation marks. */
export type CsvSplit = { separator: string; isTrimmed: boolean; hasQuotes: boolean }
export const plainCsv: CsvSplit = { separator: ',', isTrimmed: false, hasQuotes: false }

/**
 * The lines of a table and their fields, read in place: a file has millions of lines, and to make a text of each field
 * takes longer than the rest.
 */
export class CsvLines {
  /** How many lines were read, of all texts. */
  number = 0
  /** How many fields the line has. */
  fields = 0
  /** Whether a line end follows. */
  hasEnd = true
  readonly #split: CsvSplit
  #text = ''
  #next = 0
  #from = 0
  #to = 0
  /** Where the next separator is, which may be in a later line. */
  #separatorAt = -1
  /** The fields of a line that is not read in place. */
  #texts: readonly string[] | null = null
  #hasQuotes = false
  readonly #starts: Int32Array
  readonly #ends: Int32Array

  constructor(columns: number, split: CsvSplit) {
    this.#split = split
    this.#starts = new Int32Array(columns)
    this.#ends = new Int32Array(columns)
  }

  /** Begins a text of whole lines. */
  open(text: string): void {
    this.#text = text
    this.#next = 0
    this.#separatorAt = -1
    this.#hasQuotes = this.#split.hasQuotes && text.includes('"')
  }

  /** Moves to the next line that is not empty; false after the last one. */
  next(): boolean {
    while (this.#next < this.#text.length) if (this.#readLine()) return true
    return false
  }

  /** The line, without white space around it. */
  get text(): string {
    return this.#text.slice(this.#from, this.#to)
  }

  get beginsWithDigit(): boolean {
    return isDigit(this.#text.charCodeAt(this.#from))
  }

  /** A field from 0, empty if there is none. */
  field(column: number): string {
    if (this.#texts !== null) return this.#texts[column] ?? ''
    if (column < 0 || column >= this.fields) return ''
    const text = this.#text.slice(this.#starts[column], this.#ends[column])
    return this.#split.isTrimmed ? text.trim() : text
  }

  /** A whole number in a field; NaN if it has anything else, or one that is too large. */
  wholeIn(column: number): number {
    const from = this.#starts[column] ?? 0
    const to = this.#ends[column] ?? 0
    if (this.#texts !== null || column >= this.fields || from === to || to - from > exactDigitsMax)
      return Number.NaN
    let number = 0
    for (let i = from; i < to; i++) {
      const char = this.#text.charCodeAt(i)
      if (!isDigit(char)) return Number.NaN
      number = number * 10 + (char - zero)
    }
    return Number.isSafeInteger(number) ? number : Number.NaN
  }

  /** False for an empty one. */
  #readLine(): boolean {
    const text = this.#text
    const from = this.#next
    const newline = text.indexOf('\n', from)
    this.number++
    this.hasEnd = newline >= 0
    let end = this.hasEnd ? newline : text.length
    this.#next = end + 1
    if (end > from && text[end - 1] === '\r') end--
    this.#from = from
    this.#to = end
    this.#texts = null
    this.#readFields(from, end)
    if (end === from) return false
    const isPlain = this.#isPlainAt(from) && this.#isPlainAt(end - 1) && !this.#hasQuotes
    return isPlain || this.#readText()
  }

  #readFields(from: number, end: number): void {
    const text = this.#text
    const { separator } = this.#split
    const kept = this.#starts.length
    let fields = 0
    let start = from
    let at = this.#separatorAt < from ? text.indexOf(separator, from) : this.#separatorAt
    while (at >= 0 && at < end) {
      if (fields < kept) this.#place(fields, start, at)
      fields++
      start = at + 1
      at = text.indexOf(separator, start)
    }
    this.#separatorAt = at < 0 ? text.length : at
    if (fields < kept) this.#place(fields, start, end)
    this.fields = fields + 1
  }

  #isPlainAt(at: number): boolean {
    const char = this.#text.charCodeAt(at)
    return (char > space && char <= lastPlain) || this.#text[at] === this.#split.separator
  }

  /** Reads the line as a text, which has white space around it or quotation marks; false if it is empty. */
  #readText(): boolean {
    const line = this.text
    const text = line.trim()
    this.#from += line.length - line.trimStart().length
    this.#to = this.#from + text.length
    this.#texts = fieldsOf(text, this.#split)
    this.fields = this.#texts.length
    return text !== ''
  }

  #place(field: number, start: number, end: number): void {
    this.#starts[field] = start
    this.#ends[field] = end
  }
}

const isDigit = (char: number): boolean => char >= zero && char < zero + 10

/** The fields of a line, of which some may be in quotation marks. */
export function fieldsOf(line: string, { separator, isTrimmed, hasQuotes }: CsvSplit): string[] {
  const trimmed = (field: string): string => (isTrimmed ? field.trim() : field)
  if (!hasQuotes || !line.includes('"')) return line.split(separator).map(trimmed)
  const fields: string[] = []
  let isQuoted = false
  let field = ''
  for (const char of line) {
    if (char === '"') isQuoted = !isQuoted
    else if (char === separator && !isQuoted) {
      fields.push(trimmed(field))
      field = ''
    } else field += char
  }
  return [...fields, trimmed(field)]
}
