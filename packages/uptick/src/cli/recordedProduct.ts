import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { recordingHeader, formatRow } from '../../../../streams/replay/format.ts'
import { forEachTick, type TickRun } from '../../../../streams/index.ts'
import { UsageError } from './command.ts'
import { notePathOf, readNote, type RecordingNote } from './files.ts'
import { RowFiles, type Rotation } from './rowFiles.ts'
import { headAt } from './venueCalls.ts'

const header = `${recordingHeader},seq`

export type RecordedProductOptions = {
  folder: string
  rotation: Rotation | null
  product: RecordingNote['product']
  /** The venue's address. */
  venue: string
  onHole: (text: string) => void
}

/** A file with its note: the numbers of its first and last tick, null if it has none. */
type NotedFile = { notePath: string; note: RecordingNote; first: number | null; last: number | null }

/** The files of one product, which a recording begins or continues, each with its note of the venue's heads. */
export class RecordedProduct {
  readonly id: string
  /** The last tick in the files; null if there is none. */
  last: Place | null
  /** How many this run added. */
  ticks = 0
  readonly #options: RecordedProductOptions
  readonly #files: RowFiles
  /** The file that rows are added to, and before it those whose heads are not noted yet. */
  #noted: NotedFile[] = []

  /** @throws UsageError if there is a file of something else */
  constructor(options: RecordedProductOptions) {
    const { folder, product, rotation } = options
    this.id = product.id
    this.#options = options
    this.#files = new RowFiles({
      folder,
      name: product.id,
      header,
      rotation,
      opened: (path) => this.#openNote(path),
    })
    this.last = this.#files.last && placeOf(this.#files.last)
    const newest = this.#noted.at(-1)
    if (newest === undefined || this.#files.first === null) return
    newest.first = placeOf(this.#files.first).seq
    newest.last = this.last?.seq ?? null
  }

  /** How many files this run added to. */
  get files(): number {
    return this.#files.count
  }

  add(run: TickRun): void {
    const { product, onHole } = this.#options
    forEachTick(run, (seq, at, price, size) => {
      if (this.last !== null && seq <= this.last.seq) return
      if (this.last !== null && seq > this.last.seq + 1)
        onHole(`${this.id}: ticks ${this.last.seq + 1} to ${seq - 1} are missing`)
      this.#files.add(at, `${formatRow({ at, price, size }, product)},${seq}\n`)
      this.last = { seq, at }
      this.ticks++
      const file = this.#noted.at(-1)
      if (file === undefined) return
      file.first ??= seq
      file.last = seq
    })
    this.#files.flush()
  }

  /** Notes what the venue states about each file's last tick, and about the one before its first. */
  async noteHeads(): Promise<void> {
    const files = this.#noted
    for (const file of files) await this.#noteHeadsOf(file)
    // Another file may have begun meanwhile.
    const complete = new Set(files.slice(0, -1))
    this.#noted = this.#noted.filter((file) => !complete.has(file))
  }

  close(): void {
    this.#files.close()
  }

  async #noteHeadsOf({ first, last, note, notePath }: NotedFile): Promise<void> {
    if (first === null || last === null) return
    for (const seq of new Set([first - 1, last])) {
      if (note.heads.some((head) => head.seq === seq)) continue
      const stated = await headAt(this.#options.venue, this.id, seq)
      if (stated !== null) note.heads.push(stated)
    }
    writeNote(notePath, note)
  }

  /** @throws UsageError if the file is there, and of another venue */
  #openNote(path: string): void {
    const { product, venue } = this.#options
    const notePath = notePathOf(path)
    const known = existsSync(path) ? readNote(notePath) : null
    if (known !== null && (known.venue !== venue || known.product.chain !== product.chain))
      throw new UsageError(`${path} is a recording of ${known.venue}`, 'choose another folder with -o')
    const note = known ?? { product, venue, heads: [] }
    this.#noted = [...this.#noted, { notePath, note, first: null, last: null }]
    writeNote(notePath, note)
  }
}

function writeNote(path: string, note: RecordingNote): void {
  // A power cut must not leave half of it.
  const part = `${path}.part`
  writeFileSync(part, `${JSON.stringify(note, null, 1)}\n`)
  renameSync(part, path)
}

type Place = { seq: number; at: number }

const placeOf = (fields: readonly string[]): Place => ({ at: Number(fields[0]), seq: Number(fields[5]) })
