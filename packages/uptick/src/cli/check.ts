import { hash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { priceUnits, sizeUnits } from '../../../../contract/units.ts'
import { linkHash } from '../../../../contract/chain.ts'
import { formatPrice, formatSize } from '../../../../contract/price.ts'
import type { RecordingDecimals, SkippedRows } from '../../../../contract/recordingReader.ts'
import type { RecordingRows } from '../../../../contract/recordingRows.ts'
import { exitCodes, onlyFile, type Command } from './command.ts'
import { scanRecording, type RecordingNote } from './files.ts'
import { recordingPath } from './recordingNames.ts'

export const check: Command = {
  name: 'check',
  usage: 'FILE',
  help: `Exit code 0: every row is a tick, in order, without a missing number; for a recording made by "record" the
ticks also hash through every head that the venue stated. 1: the first row that is wrong, why, and how many rows there are of
each kind. 2: no recording.`,
  run: async (args, { print }) => {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
    let numbers: NumberedTicks | undefined
    const { skipped, ticks } = await scanRecording(
      recordingPath(onlyFile(positionals, 'recording')),
      (decimals, note) => {
        numbers = new NumberedTicks(decimals, note)
        return numbers.add
      },
    )
    const wrong = rowsWrong(skipped) ?? numbers?.wrong ?? numbers?.missingAtEnd
    if (wrong !== undefined) {
      print(`wrong: ${wrong}`)
      return exitCodes.refuted
    }
    print(`${ticks} ticks, in order${numbers?.remark ?? ''}`)
    return exitCodes.done
  },
}

function rowsWrong({ count, rows, reasons, first }: SkippedRows): string | undefined {
  if (first === null) return undefined
  const kinds = Object.entries(reasons).map(([why, number]) => `\n  ${number} × ${why}`)
  return `${count} of ${rows} rows are not ticks; the first is line ${first.line}, ${first.row}: ${first.why}${kinds.join('')}`
}

/** Follows the numbers of the ticks, if the file has them, and the venue's chain, if there is a note. */
class NumberedTicks {
  /** The first thing that is wrong. */
  wrong: string | undefined
  readonly #decimals: RecordingDecimals
  readonly #note: RecordingNote | null
  readonly #heads: ReadonlyMap<number, string>
  #column: number | undefined
  #last: number | undefined
  #hash: string | undefined

  constructor(decimals: RecordingDecimals, note: RecordingNote | null) {
    this.#decimals = decimals
    this.#note = note
    this.#heads = new Map(note?.heads.map(({ seq, hash: stated }) => [seq, stated]))
  }

  add = (at: number, price: number, size: number, row: RecordingRows): void => {
    this.#column ??= row.indexOf('seq')
    if (this.#column < 0 || this.wrong !== undefined) return
    const seq = row.numberAt(this.#column)
    const expected = (this.#last ?? seq - 1) + 1
    if (seq === expected) this.#follow(seq, at, price, size)
    else
      this.wrong =
        seq > expected ? `tick ${expected} is missing` : `the tick after ${this.#last} has the number ${seq}`
    this.#last = seq
  }

  /** What the note has a head of, and the file no more. */
  get missingAtEnd(): string | undefined {
    const last = this.#last ?? Infinity
    const noted = this.#note?.heads.reduce((newest, { seq }) => Math.max(newest, seq), 0) ?? 0
    return noted > last ? `ticks ${last + 1} to ${noted} are missing at the end` : undefined
  }

  /** What else can be said of a file in which nothing is wrong. */
  get remark(): string {
    if (this.#last !== undefined && this.#isChained)
      return `; the chain meets ${this.#heads.size} heads of the venue`
    return this.#note?.product.chain === 2 ? '; a live source, so the chain cannot be recomputed' : ''
  }

  /** The ticks of a live source are hashed with what the exchange called them, which a recording does not have. */
  get #isChained(): boolean {
    return this.#note?.product.chain === 1 && this.#heads.size > 0
  }

  #follow(seq: number, at: number, units: number, sizeInUnits: number): void {
    if (this.#note === null || !this.#isChained) return
    if (this.#last === undefined) this.#hash = this.#heads.get(seq - 1)
    if (this.#hash === undefined) {
      this.wrong = 'the head before the first tick is not in the note'
      return
    }
    const price = formatPrice(priceUnits(units), this.#decimals.priceDecimals)
    const size = formatSize(sizeUnits(sizeInUnits), this.#decimals.sizeDecimals)
    const { id } = this.#note.product
    this.#hash = linkHash(this.#hash, id, [seq, at, price, size], (text) => hash('sha256', text))
    const stated = this.#heads.get(seq)
    if (stated !== undefined && stated !== this.#hash)
      this.wrong = `the ticks up to ${seq} do not hash to the venue's head: a tick since the head before was changed`
  }
}
