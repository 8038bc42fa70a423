import { closeSync, existsSync, fstatSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from './command.ts'
import { continueRows, cutPartialLineOf, type ContinuedFile } from './continuedFile.ts'

/** When rows go on in another file: on another day of UTC, or before a file has more bytes. */
export type Rotation = { isDaily: boolean; bytesMax: number }

const byteUnits: Record<string, number> = { kB: 1e3, MB: 1e6, GB: 1e9 }

/** `day`, `100MB` or `day,100MB`. @throws UsageError if it is something else */
export function parseRotation(text: string): Rotation {
  const rotation: Rotation = { isDaily: false, bytesMax: Number.POSITIVE_INFINITY }
  for (const part of text.split(',')) {
    const [, digits, unit = ''] = /^([1-9]\d*)(kB|MB|GB)$/.exec(part) ?? []
    if (digits !== undefined) rotation.bytesMax = Number(digits) * (byteUnits[unit] ?? 1)
    else if (part === 'day') rotation.isDaily = true
    else throw new UsageError(`--rotate is day, 100MB or day,100MB, not ${text}`)
  }
  return rotation
}

export type RowFilesOptions = {
  folder: string
  /** Of the files, without their ending. */
  name: string
  /** Of the files' names; default: `.csv`. */
  ending?: string
  /** The first line of each file; null: there is none, and a row is any line. */
  header: string | null
  /** null: all rows are in one file. */
  rotation: Rotation | null
  /** A file is begun, or continued: from now on rows are in it. */
  opened?: (path: string) => void
}

/**
 * The files that rows of one product, or messages of one exchange, are added to: `NAME.csv`, or with a rotation
 * `NAME_2026-11-30.csv`, `NAME_2026-11-30_2.csv`, named by the day of their first row. What is there is continued.
 */
export class RowFiles {
  /** The last row that was there before, and the first one of the file that is continued; null if there is none. */
  readonly last: readonly string[] | null
  readonly first: readonly string[] | null
  /** How many files rows were added to. */
  count = 0
  readonly #options: RowFilesOptions & { ending: string }
  /** `bytes`: with the rows that are not in it yet. */
  #file: { path: string; fd: number; bytes: number; day: string } | null = null
  #rows = ''

  /** @throws UsageError if there is a file of something else */
  constructor(options: RowFilesOptions) {
    const { folder, name, ending = '.csv', rotation } = options
    this.#options = { ...options, ending }
    const single = name + ending
    const dated = rotation === null ? [] : namesIn(folder, this.#options).toReversed()
    const [newest = single] = dated
    let last: readonly string[] | null = null
    for (const file of [...dated, single]) last ??= this.#continue(file).last
    this.last = last
    const isContinued = rotation === null || newest !== single
    this.first = isContinued ? this.#continue(newest).first : null
    if (isContinued) this.#open(newest, placeOf(this.#options, newest)?.day ?? '')
  }

  /** Adds a row of an instant; it is in the file after `flush`. */
  add(at: number, row: string): void {
    const file = this.#file
    const day = dayOf(at)
    if (file === null || this.#isFull(file, day, row)) this.#begin(day)
    if (this.#file !== null) this.#file.bytes += Buffer.byteLength(row)
    this.#rows += row
  }

  /** @throws UsageError if another program writes to the file too, or the error of Node if it takes no more */
  flush(): void {
    if (this.#file === null || this.#rows === '') return
    const { path, fd, bytes } = this.#file
    const rows = this.#rows
    this.#rows = ''
    // Lines without a header may be of several.
    if (this.#options.header !== null && fstatSync(fd).size > bytes - Buffer.byteLength(rows))
      throw new UsageError(`another program writes to ${path} too: choose another folder with -o`)
    // `writeSync` may write a part.
    writeFileSync(fd, rows)
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file.fd)
    this.#file = null
  }

  #continue(file: string): Pick<ContinuedFile, 'first' | 'last'> {
    const { folder, header } = this.#options
    const path = join(folder, file)
    if (header !== null) return continueRows(path, header)
    cutPartialLineOf(path)
    return { first: null, last: null }
  }

  #isFull({ bytes, day }: { bytes: number; day: string }, today: string, row: string): boolean {
    const { header, rotation } = this.#options
    if (rotation === null || bytes <= (header === null ? 0 : header.length + 1)) return false
    return (rotation.isDaily && today > day) || bytes + Buffer.byteLength(row) > rotation.bytesMax
  }

  /** Goes on in a new file of this day. */
  #begin(day: string): void {
    const { folder, name, ending } = this.#options
    this.flush()
    this.close()
    for (let n = 1; ; n++) {
      const file = n === 1 ? `${name}_${day}${ending}` : `${name}_${day}_${n}${ending}`
      if (existsSync(join(folder, file))) continue
      this.#open(file, day)
      return
    }
  }

  #open(file: string, day: string): void {
    const { folder, header, opened } = this.#options
    const path = join(folder, file)
    const fd = openSync(path, 'a')
    if (header !== null && fstatSync(fd).size === 0) writeFileSync(fd, `${header}\n`)
    this.#file = { path, fd, bytes: fstatSync(fd).size, day }
    this.count++
    opened?.(path)
  }
}

/** 1764460800000 → "2025-11-30" */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

type Naming = { name: string; ending: string }

const placeOf = ({ name, ending }: Naming, file: string): { day: string; number: number } | null => {
  if (!file.startsWith(`${name}_`) || !file.endsWith(ending)) return null
  const middle = file.slice(name.length + 1, -ending.length)
  const [, day, number = '1'] = /^(\d{4}-\d\d-\d\d)(?:_(\d+))?$/.exec(middle) ?? []
  return day === undefined ? null : { day, number: Number(number) }
}

/** The files with a day in their names in a folder, the oldest first. */
function namesIn(folder: string, naming: Naming): string[] {
  const found = readdirSync(folder).flatMap((file) => {
    const place = placeOf(naming, file)
    return place === null ? [] : [{ file, ...place }]
  })
  return found
    .toSorted((a, b) => (a.day === b.day ? a.number - b.number : a.day < b.day ? -1 : 1))
    .map(({ file }) => file)
}
