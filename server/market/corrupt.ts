/** The tick log says something else than its hashes: where, and nothing is guessed. */
export class LogCorruptError extends Error {
  readonly productId: string
  /** The first tick that cannot be vouched for. */
  readonly fromSeq: number

  constructor(productId: string, fromSeq: number, why: string) {
    super(`The tick log of ${productId} is damaged from tick ${fromSeq} on: ${why}.`)
    this.name = 'LogCorruptError'
    this.productId = productId
    this.fromSeq = fromSeq
  }
}
