import { closeSync, existsSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { recordingHeader, formatRow } from '../../../../streams/replay/format.ts'
import { forEachTick, type TickRun } from '../../../../streams/index.ts'
import { UsageError } from './command.ts'
import { continueRows } from './continuedFile.ts'
import { notePathOf, readNote, type RecordingNote } from './files.ts'
import { headAt } from './venueCalls.ts'

const header = `${recordingHeader},seq`

/** The file of one product, which a recording begins or continues, with its note of the venue's heads. */
export class RecordedProduct {
  readonly id: string
  /** The last tick in the file; null if it has none. */
  last: Place | null
  /** How many this run added. */
  ticks = 0
  #first: number | null
  readonly #fd: number
  readonly #notePath: string
  readonly #note: RecordingNote
  readonly #onHole: (text: string) => void

  /** @throws UsageError if there is a file of something else */
  constructor(
    folder: string,
    product: RecordingNote['product'],
    venue: string,
    onHole: (text: string) => void,
  ) {
    this.id = product.id
    this.#onHole = onHole
    const path = join(folder, `${product.id}.csv`)
    this.#notePath = notePathOf(path)
    const known = existsSync(path)
    const note = known ? readNote(this.#notePath) : null
    if (note !== null && (note.venue !== venue || note.product.chain !== product.chain))
      throw new UsageError(`${path} is a recording of ${note.venue}`, 'choose another folder with -o')
    this.#note = note ?? { product, venue, heads: [] }
    const rows = continueRows(path, header)
    this.last = rows.last && placeOf(rows.last)
    this.#first = rows.first && placeOf(rows.first).seq
    this.#fd = openSync(path, 'a')
    if (rows.isNew) writeSync(this.#fd, `${header}\n`)
    this.#writeNote()
  }

  add(run: TickRun): void {
    const rows: string[] = []
    forEachTick(run, (seq, at, price, size) => {
      if (this.last !== null && seq <= this.last.seq) return
      if (this.last !== null && seq > this.last.seq + 1)
        this.#onHole(`${this.id}: ticks ${this.last.seq + 1} to ${seq - 1} are missing`)
      rows.push(`${formatRow({ at, price, size }, this.#note.product)},${seq}\n`)
      this.last = { seq, at }
      this.#first ??= seq
    })
    this.ticks += rows.length
    if (rows.length > 0) writeSync(this.#fd, rows.join(''))
  }

  /** Notes what the venue states about the file's last tick, and about the one before its first. */
  async noteHeads(url: string): Promise<void> {
    if (this.last === null || this.#first === null) return
    for (const seq of new Set([this.#first - 1, this.last.seq])) {
      if (this.#note.heads.some((head) => head.seq === seq)) continue
      const stated = await headAt(url, this.id, seq)
      if (stated !== null) this.#note.heads.push(stated)
    }
    this.#writeNote()
  }

  close(): void {
    closeSync(this.#fd)
  }

  #writeNote(): void {
    // A power cut must not leave half of it.
    const part = `${this.#notePath}.part`
    writeFileSync(part, `${JSON.stringify(this.#note, null, 1)}\n`)
    renameSync(part, this.#notePath)
  }
}

type Place = { seq: number; at: number }

const placeOf = (fields: readonly string[]): Place => ({ at: Number(fields[0]), seq: Number(fields[5]) })
