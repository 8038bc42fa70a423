import { createHash } from 'node:crypto'

/** The columns of a row that a replay states, in a fixed order. */
export type Row = Readonly<Record<string, string | number | null>>

/** A row of the venue is not what the replay gives. `venue` is null if the venue lacks it, `replay` if nothing gives it. */
export class RowDiffersError extends Error {
  override readonly name = 'RowDiffersError'
  readonly table: string
  readonly row: string
  readonly venue: object | null
  readonly replay: object | null

  constructor(table: string, row: string, venue: object | null, replay: object | null) {
    super(`${table}: ${row}: ${whatDiffers(venue, replay)}`)
    this.table = table
    this.row = row
    this.venue = venue
    this.replay = replay
  }
}

function whatDiffers(venue: object | null, replay: object | null): string {
  if (venue === null) return 'the venue does not have this row'
  if (replay === null) return 'nothing that the venue recorded gives this row'
  const other = new Map<string, unknown>(Object.entries(replay))
  const differing = Object.entries(venue).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(other.get(name)),
  )
  return `${differing.map(([name]) => name).join(', ')} differ${differing.length === 1 ? 's' : ''}`
}

/** What was replayed so far: how many rows of each table, and a digest of all of them. */
export class Replay {
  readonly #digest = createHash('sha256')
  readonly #counts = new Map<string, number>()

  /**
   * Compares a row of the venue with the one that the replay gives, byte for byte as JSON.
   * @param row what identifies it, for people
   * @throws RowDiffersError
   */
  compare(table: string, row: string, venue: Row | null, replay: Row | null): void {
    this.compareText(table, row, { venue, replay, text: JSON.stringify(venue) })
  }

  /** Like {@link compare}, for a row whose stored text is compared itself. */
  compareText(
    table: string,
    row: string,
    { venue, replay, text }: { venue: object | null; replay: object | null; text: string },
  ): void {
    if (text !== JSON.stringify(replay)) throw new RowDiffersError(table, row, venue, replay)
    this.#digest.update(`${table} ${row} ${text}\n`)
    this.#counts.set(table, this.count(table) + 1)
  }

  count(table: string): number {
    return this.#counts.get(table) ?? 0
  }

  /** SHA-256 of every row that was compared: two replays of the same data give the same. Ends the replay. */
  digest(): string {
    return this.#digest.digest('hex')
  }
}

/** The named columns of a row. */
export function pick<T extends object, K extends keyof T & string>(
  row: T,
  names: readonly K[],
): { [N in K]: T[N] } {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as { [N in K]: T[N] }
}

/** Rows by the value of a column, in their order. */
export function groupBy<T, K>(rows: readonly T[], keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}
