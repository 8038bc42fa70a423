/** The first row that is not trusted: a flush by its number, or a chunk by its product's number and first tick. */
export type BrokenRow =
  | { kind: 'flush'; id: number; at: number }
  | { kind: 'chunk'; ix: number; seq0: number; at: number }

/** The tick log contradicts its hashes. The error says where; nothing is repaired. */
export class LogCorruptError extends Error {
  readonly productId: string
  /** The first tick that is not trusted. */
  readonly fromSeq: number
  readonly why: string
  readonly row: BrokenRow

  constructor(productId: string, fromSeq: number, why: string, row: BrokenRow) {
    const affected = fromSeq > 0 ? `${productId} from tick ${fromSeq} on` : productId
    const near = instantOf(row.at)
    super(`the tick log is damaged at ${placeOf(productId, row)}, near ${near}: ${affected}: ${why}`)
    this.name = 'LogCorruptError'
    this.productId = productId
    this.fromSeq = fromSeq
    this.why = why
    this.row = row
  }

  /** The broken row in the form that `log cut --at` expects. */
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

/** The instant of a damaged row may be any number. */
const instantOf = (at: number): string => (Math.abs(at) < 8.64e15 ? new Date(at).toISOString() : String(at))
