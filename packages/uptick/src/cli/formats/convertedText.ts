import { skipReasons } from '../../../../../contract/recordingReader.ts'
import { recordingHeader } from '../../../../../streams/replay/format.ts'
import { UsageError } from '../command.ts'
import type { ReadRow, UnreadRow } from './format.ts'
import { isAboveZero, plainNumber } from './plainNumber.ts'

const writtenAtOnce = 64 * 1024
const shownLength = 60
const thousandths = Array.from({ length: 1000 }, (_, ms) => `${String(ms).padStart(3, '0')},`)
const twice = 'it came twice or late'

/** How many rows were left out for one reason, and the first of them. */
type LeftOut = { count: number; first: Pick<UnreadRow, 'line' | 'text'> }

/** Rows of others as the text of a recording, with what was left out of it. */
export class ConvertedText {
  readonly #wanted: string | undefined
  readonly #symbols = new Set<string>()
  readonly #leftOut = new Map<string, LeftOut>()
  #order = Number.NEGATIVE_INFINITY
  #at = 0
  #second = Number.NaN
  #secondText = ''
  /** How many rows are in the recording. */
  taken = 0

  /** @param wanted the only symbol whose rows are taken */
  constructor(wanted: string | undefined) {
    this.#wanted = wanted
  }

  /** The one that was asked for, otherwise the first; undefined if the file names none. */
  get symbol(): string | undefined {
    const [first] = this.#symbols
    return this.#wanted ?? first
  }

  /** The recording in pieces. @throws UsageError if no row is a tick, or there are several symbols and none was asked for */
  async *pieces(batches: AsyncIterable<Iterable<ReadRow>>): AsyncGenerator<string> {
    let text = `${recordingHeader}\n`
    for await (const rows of batches) {
      for (const row of rows) text += this.#textOf(row)
      if (text.length < writtenAtOnce) continue
      yield text
      text = ''
    }
    this.#assertOneSymbol()
    if (this.taken === 0)
      throw new UsageError(
        `no row is a tick${this.#firstWhy()}`,
        '--columns says what else its columns are, --protocol whose messages it has',
      )
    yield text
  }

  /** A line for each reason why rows were left out. */
  get remarks(): string[] {
    const shown = [...this.#leftOut].map(
      ([why, { count, first }]) => `  ${count} × ${why}; ${shownRow(first)}`,
    )
    const rows = [...this.#leftOut.values()].reduce((sum, { count }) => sum + count, 0)
    return rows === 0 ? [] : [`left out ${rows} of ${rows + this.taken} rows`, ...shown]
  }

  #textOf(row: ReadRow): string {
    if ('why' in row) return this.#leaveOut(row, row.why)
    const { symbol } = row
    if (symbol !== undefined) this.#symbols.add(symbol)
    if (symbol !== undefined && symbol !== this.symbol) return ''
    const { at, order, price: recordedPrice, size: recordedSize } = row
    const isQuote = recordedPrice === ''
    const price = isQuote ? '' : plainNumber(recordedPrice)
    const size = recordedSize === '' ? '' : plainNumber(recordedSize)
    const bid = sideOf(row.bid)
    const ask = sideOf(row.ask)
    if (price === undefined || !(isQuote || isAboveZero(price))) return this.#leaveOut(row, skipReasons.price)
    if (isQuote && (bid === '' || ask === '')) return this.#leaveOut(row, skipReasons.quote)
    if (size === undefined) return this.#leaveOut(row, skipReasons.size)
    const why = this.#whyNotNext(at, order)
    if (why !== undefined) return this.#leaveOut(row, why)
    this.#order = order ?? this.#order
    this.#at = at
    this.taken++
    // Few parts: each one more is a text more.
    return `${this.#textOfInstant(at)}${price},${size}${bid === '' && ask === '' ? ',,\n' : `,${bid},${ask}\n`}`
  }

  /** With a comma. A large number takes long to write, and most rows are of the second of the one before. */
  #textOfInstant(at: number): string {
    const second = Math.floor(at / 1000)
    if (second !== this.#second) [this.#second, this.#secondText] = [second, String(second)]
    const ms = thousandths[at - second * 1000]
    return ms === undefined ? `${at},` : this.#secondText + ms
  }

  #whyNotNext(at: number, order: number | undefined): string | undefined {
    if (order !== undefined && order <= this.#order) return twice
    return at < this.#at ? skipReasons.order : undefined
  }

  #leaveOut({ line, text }: Pick<UnreadRow, 'line' | 'text'>, why: string): '' {
    const known = this.#leftOut.get(why)
    if (known) known.count++
    else this.#leftOut.set(why, { count: 1, first: { line, text } })
    return ''
  }

  #firstWhy(): string {
    const [reason] = this.#leftOut
    return reason === undefined ? '' : `: ${shownRow(reason[1].first)}: ${reason[0]}`
  }

  #assertOneSymbol(): void {
    const listed = [...this.#symbols].join(', ')
    if (this.#wanted !== undefined && listed !== '' && !this.#symbols.has(this.#wanted))
      throw new UsageError(`no trades of ${this.#wanted}, only ${listed}`)
    if (this.#wanted === undefined && this.#symbols.size > 1)
      throw new UsageError(`--symbol is one of ${listed}`)
  }
}

/** A bid or an ask; what is none is left out. */
function sideOf(text: string): string {
  const plain = text === '' ? undefined : plainNumber(text)
  return plain === undefined || !isAboveZero(plain) ? '' : plain
}

const shownRow = ({ line, text }: Pick<UnreadRow, 'line' | 'text'>): string =>
  `line ${line}, ${JSON.stringify(text.length > shownLength ? `${text.slice(0, shownLength)}…` : text)}`
