import { bucketOf } from '../../contract/candles.ts'
import type { Head } from '../../contract/chain.ts'
import { packHour } from './bucket-rows.ts'
import { hourMs } from './bucket-store.ts'
import type { BucketStore, HourRow } from './bucket-store.ts'
import type { Book } from './book.ts'
import { packChunk } from './chunk.ts'
import type { Chunk, ChunkStore } from './chunk-store.ts'
import { floatOf } from './exact-sum.ts'
import type { MinuteBucket, MinuteBuckets } from './minute-buckets.ts'
import type { Tail } from './tail.ts'

/** A chunk is made of this many ticks, or of what came in this time, whichever is first. */
const chunkTicks = 4096
const chunkMs = 600_000
/** Chunks made in one turn and written together: more wait for the next turn, so that no turn is long. */
const chunksPerTurn = 8

export type Sealable = { readonly ix: number; readonly tail: Tail }

/** Packs what the flushes hold into chunks, product by product, and hours of minutes into rows. */
export class Sealer {
  readonly #chunks: ChunkStore
  readonly #buckets: BucketStore
  readonly #products: readonly Sealable[]
  /** Where the next turn begins to look: every product gets its turn. */
  #next = 0

  /** `products` are the table's and those that left it with ticks not sealed yet. */
  constructor(chunks: ChunkStore, buckets: BucketStore, products: readonly Sealable[]) {
    this.#chunks = chunks
    this.#buckets = buckets
    this.#products = products
  }

  /**
   * Seals the products that are due at `now`. `newestBatch` is the newest committed flush, which stays: it carries the
   * watermark.
   * @returns whether more are due
   */
  async seal(now: number, newestBatch: number): Promise<boolean> {
    const due = this.#due(now)
    if (due.length === 0) return false
    const chunks: Chunk[] = []
    const heads: { tail: Tail; after: Head }[] = []
    for (const { ix, tail } of due) {
      const { ticks, before, after } = tail.seal()
      chunks.push({
        ix,
        seq0: ticks.seq0,
        seq1: after.seq,
        at0: ticks.at[0] ?? 0,
        at1: ticks.at.at(-1) ?? 0,
        hashBefore: Buffer.from(before.hash, 'hex'),
        hashAfter: Buffer.from(after.hash, 'hex'),
        data: await packChunk(ticks),
      })
      heads.push({ tail, after })
    }
    const sealing = new Map(heads.map(({ tail, after }) => [tail, after.seq]))
    await this.#chunks.seal(chunks, this.#oldestNeeded(sealing, newestBatch))
    for (const { tail, after } of heads) tail.trim(after)
    return due.length === chunksPerTurn
  }

  /** Writes the hours that are over and whose minutes are all in rows (those before `minutesUntil`). */
  async sealHours(books: readonly Book[], minutesUntil: number): Promise<void> {
    const end = bucketOf(minutesUntil, hourMs)
    for (let oldest = await this.#buckets.oldestMinute(); oldest !== null && oldest < end;) {
      const hourAt = bucketOf(oldest, hourMs)
      const rows = books.flatMap((book) => hourRow(book.ix, book.buckets, hourAt) ?? [])
      await this.#buckets.sealHour(hourAt, rows)
      oldest = await this.#buckets.oldestMinute()
    }
  }

  #due(now: number): Sealable[] {
    const due: Sealable[] = []
    const { length } = this.#products
    for (let step = 0; step < length && due.length < chunksPerTurn; step++) {
      const product = this.#products[(this.#next + step) % length]
      if (product && isDue(product.tail, now)) due.push(product)
    }
    const last = due.at(-1)
    if (last) this.#next = (this.#products.indexOf(last) + 1) % length
    return due
  }

  /** The oldest flush that some product still needs, once these are sealed. */
  #oldestNeeded(sealing: ReadonlyMap<Tail, number>, newestBatch: number): number {
    return this.#products.reduce(
      (oldest, { tail }) => Math.min(oldest, tail.oldestBatchAfter(sealing.get(tail) ?? 0) ?? oldest),
      newestBatch,
    )
  }
}

const isDue = (tail: Tail, now: number): boolean =>
  tail.count >= chunkTicks || (tail.firstAt !== undefined && now - tail.firstAt >= chunkMs)

function hourRow(ix: number, buckets: MinuteBuckets, hourAt: number): HourRow | null {
  const minutes: MinuteBucket[] = []
  for (let i = buckets.indexFrom(hourAt); i < buckets.count && buckets.openAt(i) < hourAt + hourMs; i++) {
    minutes.push(buckets.bucket(i))
  }
  const first = minutes[0]
  const last = minutes.at(-1)
  if (!first || !last) return null
  return {
    ix,
    openAt: hourAt,
    open: first.open,
    high: Math.max(...minutes.map((minute) => minute.high)),
    low: Math.min(...minutes.map((minute) => minute.low)),
    close: last.close,
    volume: minutes.reduce((sum, { volume }) => sum + floatOf(volume.high, volume.low), 0),
    lastSeq: last.lastSeq,
    minutes: packHour(hourAt, minutes),
  }
}
