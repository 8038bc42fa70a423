import { closeSync, existsSync, fstatSync, openSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from './command.ts'
import { continueRows } from './continuedFile.ts'

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
  header: string
  /** null: all rows are in one file. */
  rotation: Rotation | null
  /** A file is begun, or continued: from now on rows are in it. */
  opened?: (path: string) => void
}

/**
 * The files of one product that rows are added to: `NAME.csv`, or with a rotation `NAME_2026-11-30.csv`,
 * `NAME_2026-11-30_2.csv`, named by the day of their first row. What is there is continued.
 */
export class RowFiles {
  /** The last row that was there before, and the first one of the file that is continued; null if there is none. */
  readonly last: readonly string[] | null
  readonly first: readonly string[] | null
  /** How many files rows were added to. */
  count = 0
  readonly #options: RowFilesOptions
  #file: { fd: number; bytes: number; day: string } | null = null
  #rows = ''

  /** @throws UsageError if there is a file of something else */
  constructor(options: RowFilesOptions) {
    this.#options = options
    const { folder, name, header, rotation } = options
    const single = `${name}.csv`
    const known = rotation === null ? [single] : [...namesIn(folder, name).toReversed(), single]
    const [newest = single] = known
    let last: readonly string[] | null = null
    for (const file of known) if (last === null) last = continueRows(join(folder, file), header).last
    this.last = last
    const isContinued = rotation === null || newest !== single
    this.first = isContinued ? continueRows(join(folder, newest), header).first : null
    if (isContinued) this.#open(newest, rotation === null ? '' : dayOfName(name, newest))
  }

  /** Adds a row of an instant; it is in the file after `flush`. */
  add(at: number, row: string): void {
    const file = this.#file
    const day = dayOf(at)
    if (file === null || this.#isFull(file, day, row)) this.#begin(day)
    if (this.#file !== null) this.#file.bytes += row.length
    this.#rows += row
  }

  flush(): void {
    if (this.#file === null || this.#rows === '') return
    writeSync(this.#file.fd, this.#rows)
    this.#rows = ''
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file.fd)
    this.#file = null
  }

  #isFull({ bytes, day }: { bytes: number; day: string }, today: string, row: string): boolean {
    const { header, rotation } = this.#options
    if (rotation === null || bytes <= header.length + 1) return false
    return (rotation.isDaily && today > day) || bytes + row.length > rotation.bytesMax
  }

  /** Goes on in a new file of this day. */
  #begin(day: string): void {
    const { folder, name } = this.#options
    this.flush()
    this.close()
    for (let n = 1; ; n++) {
      const file = n === 1 ? `${name}_${day}.csv` : `${name}_${day}_${n}.csv`
      if (existsSync(join(folder, file))) continue
      this.#open(file, day)
      return
    }
  }

  #open(file: string, day: string): void {
    const { folder, header, opened } = this.#options
    const path = join(folder, file)
    const fd = openSync(path, 'a')
    if (fstatSync(fd).size === 0) writeSync(fd, `${header}\n`)
    this.#file = { fd, bytes: fstatSync(fd).size, day }
    this.count++
    opened?.(path)
  }
}

/** 1764460800000 → "2025-11-30" */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const placeOf = (name: string, file: string): { day: string; number: number } | null => {
  if (!file.startsWith(`${name}_`)) return null
  const [, day, number = '1'] = /^(\d{4}-\d\d-\d\d)(?:_(\d+))?\.csv$/.exec(file.slice(name.length + 1)) ?? []
  return day === undefined ? null : { day, number: Number(number) }
}

const dayOfName = (name: string, file: string): string => placeOf(name, file)?.day ?? ''

/** The files of a product in a folder, the oldest first. */
function namesIn(folder: string, name: string): string[] {
  const found = readdirSync(folder).flatMap((file) => {
    const place = placeOf(name, file)
    return place === null ? [] : [{ file, ...place }]
  })
  return found
    .toSorted((a, b) => (a.day === b.day ? a.number - b.number : a.day < b.day ? -1 : 1))
    .map(({ file }) => file)
}
