/** The first row that cannot be vouched for: a flush by its number, or a chunk by its product's number and first tick. */
export type BrokenRow =
  { kind: 'flush'; id: number; at: number } | { kind: 'chunk'; ix: number; seq0: number; at: number }

/** The tick log says something else than its hashes: where, and nothing is guessed. */
export class LogCorruptError extends Error {
  readonly productId: string
  /** The first tick that cannot be vouched for. */
  readonly fromSeq: number
  readonly why: string
  readonly row: BrokenRow

  constructor(productId: string, fromSeq: number, why: string, row: BrokenRow) {
    const place = fromSeq > 0 ? `${productId} from tick ${fromSeq} on` : productId
    const near = instantOf(row.at)
    super(`the tick log is damaged at ${placeOf(productId, row)}, near ${near}: ${place}: ${why}`)
    this.name = 'LogCorruptError'
    this.productId = productId
    this.fromSeq = fromSeq
    this.why = why
    this.row = row
  }

  /** The broken row as `log cut --at` takes it. */
  get place(): string {
    return placeOf(this.productId, this.row)
  }
}

const placeOf = (productId: string, row: BrokenRow): string =>
  row.kind === 'flush' ? `flush:${row.id}` : `${productId}:${row.seq0}`

export const brokenChunk = ({ ix, seq0, at0 }: { ix: number; seq0: number; at0: number }): BrokenRow => ({
  kind: 'chunk',
  ix,
  seq0,
  at: at0,
})

/** A damaged row may hold any number as its instant. */
const instantOf = (at: number): string => (Math.abs(at) < 8.64e15 ? new Date(at).toISOString() : String(at))
