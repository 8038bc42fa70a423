import type { ByteReader, ByteWriter } from './packing.ts'

/**
 * Where live ticks come from, in columns beside theirs: the exchange's id of each, null for a tick of a computed source,
 * and the exchange's instant (0 without an id).
 */
export type Provenance = { ids: readonly (string | null)[]; at: readonly number[] }

/** A part of the columns; undefined if no tick in it is live. */
export function sliceProvenance(
  provenance: Provenance | undefined,
  from: number,
  to: number,
): Provenance | undefined {
  if (!provenance) return undefined
  const ids = provenance.ids.slice(from, to)
  return ids.some((id) => id !== null) ? { ids, at: provenance.at.slice(from, to) } : undefined
}

/** How the ids of a run are packed: not at all, as differences of numbers, or as text. */
const kinds = { none: 0, number: 1, text: 2 } as const
type Kind = (typeof kinds)[keyof typeof kinds]
type Run = { kind: Kind; count: number }

/**
 * Appends columns: runs of ids of one kind, the ids, then how long after the exchange's instant each tick arrived, as the
 * difference from the tick before. Both are small numbers, often the same: trades of one moment arrive together and have
 * consecutive ids.
 * @param at the instants of the ticks
 */
export function packProvenance(
  writer: ByteWriter,
  { ids, at: sourceAt }: Provenance,
  at: ArrayLike<number>,
): void {
  for (const { kind, count } of runsOf(ids)) {
    writer.uint(count)
    writer.uint(kind)
  }
  let previous = 0
  let delay = 0
  for (const id of ids) {
    if (id === null) continue
    if (kindOf(id) === kinds.text) writer.text(id)
    else {
      writer.int(Number(id) - previous)
      previous = Number(id)
    }
  }
  for (const [i, id] of ids.entries()) {
    if (id === null) continue
    const next = (at[i] ?? 0) - (sourceAt[i] ?? 0)
    writer.int(next - delay)
    delay = next
  }
}

/** Reads the bytes of {@link packProvenance}. @throws RangeError if they are damaged */
export function unpackProvenance(reader: ByteReader, at: ArrayLike<number>): Provenance {
  const ids: (string | null)[] = []
  let previous = 0
  for (const { kind, count } of readRuns(reader, at.length)) {
    for (let i = 0; i < count; i++) {
      if (kind === kinds.number) ids.push(String((previous += reader.int())))
      else ids.push(kind === kinds.text ? reader.text() : null)
    }
  }
  let delay = 0
  const sourceAt = ids.map((id, i) => (id === null ? 0 : (at[i] ?? 0) - (delay += reader.int())))
  return { ids, at: sourceAt }
}

function kindFrom(value: number): Kind {
  if (value === kinds.none || value === kinds.number || value === kinds.text) return value
  throw new RangeError('the source ids are of an unknown kind')
}

function runsOf(ids: Provenance['ids']): Run[] {
  const runs: Run[] = []
  for (const id of ids) {
    const kind = kindOf(id)
    const run = runs.at(-1)
    if (run?.kind === kind) run.count++
    else runs.push({ kind, count: 1 })
  }
  return runs
}

function readRuns(reader: ByteReader, total: number): Run[] {
  const runs: Run[] = []
  for (let read = 0; read < total;) {
    const count = reader.uint()
    const kind = kindFrom(reader.uint())
    if (count === 0 || read + count > total) throw new RangeError('the source ids do not match the ticks')
    runs.push({ kind, count })
    read += count
  }
  return runs
}

/** An id that is a number in its shortest form takes a byte or less; any other is kept as text. */
function kindOf(id: string | null): Kind {
  if (id === null) return kinds.none
  const isNumber = /^(?:0|[1-9]\d{0,15})$/.test(id) && Number.isSafeInteger(Number(id))
  return isNumber ? kinds.number : kinds.text
}
