import type { Head } from '../../../contract/chain.ts'
import { packChunk } from './chunk.ts'
import { flushesPerTurn, type Chunk, type ChunkStore } from './chunkStore.ts'
import type { Compacted } from '../commit.ts'
import { Listeners } from '../listeners.ts'
import type { Tail } from './tail.ts'

/** A chunk is due at this many ticks, or if its first tick is this old, whichever is first. */
const chunkTicks = 4096
const chunkMs = 600_000
/** Chunks that are packed and written in one turn; the rest wait for the next turn, so that turns stay short. */
const chunksPerTurn = 8

export type Compactable = { readonly ix: number; readonly tail: Tail }

/** Compacts flushed ticks into chunks, product by product. */
export class ChunkCompactor {
  readonly #compacted: Listeners<[Compacted]>
  readonly #chunks: ChunkStore
  readonly #products: readonly Compactable[]
  /** Products of a failed turn: their chunks may have been committed nevertheless. */
  #unconfirmed = new Set<Compactable>()
  /** The oldest flush that is left, as far as known. */
  #oldestFlush = 0
  /** Index of the product at which the next turn starts, so that every product gets its turn. */
  #next = 0

  /** @param products those of the table, and those that left it with ticks that are not compacted yet */
  constructor(
    chunks: ChunkStore,
    products: readonly Compactable[],
    report: (what: string, error: unknown) => void,
  ) {
    this.#chunks = chunks
    this.#products = products
    this.#compacted = new Listeners('a compaction listener failed', report)
  }

  onCompacted(listener: (compacted: Compacted) => void): () => void {
    return this.#compacted.add(listener)
  }

  /**
   * Deletes flushes whose ticks are all in chunks, a part of them in each turn.
   * @param keptFrom this flush and later ones are not deleted: the newest one has the watermark, and other nodes may still
   *   have to read the ones before it
   * @returns whether it deleted as many as a turn may, so that there may be more
   */
  async deleteFlushes(keptFrom: number): Promise<boolean> {
    const below = this.#oldestNeeded(keptFrom)
    const before = this.#oldestFlush
    if (below <= before) return false
    this.#oldestFlush = await this.#chunks.deleteFlushes(below)
    return this.#oldestFlush - before >= flushesPerTurn
  }

  /**
   * Compacts the products that are due at `now`.
   * @returns whether more are due
   */
  async compact(now: number): Promise<boolean> {
    for (const product of this.#unconfirmed) await this.#resolveUnconfirmed(product)
    const due = this.#due(now)
    if (due.length === 0) return false
    const chunks: Chunk[] = []
    const heads: (Compactable & { after: Head })[] = []
    for (const { ix, tail } of due) {
      const { chunk, after } = await compactTail(ix, tail)
      chunks.push(chunk)
      heads.push({ ix, tail, after })
    }
    try {
      await this.#chunks.compact(chunks)
    } catch (error) {
      for (const product of due) this.#unconfirmed.add(product)
      throw error
    }
    for (const product of due) this.#unconfirmed.delete(product)
    this.#trim(heads)
    return due.length === chunksPerTurn
  }

  #trim(compacted: readonly (Compactable & { after: Head })[]): void {
    for (const { tail, after } of compacted) tail.trim(after)
    this.#compacted.notify(compacted.map(({ ix, after }) => ({ ix, after })))
  }

  /**
   * Trims a product's tail if the log has the chunk at its start. Until then it stays unconfirmed: a statement of a
   * broken connection may still be committed.
   */
  async #resolveUnconfirmed(product: Compactable): Promise<void> {
    const { ix, tail } = product
    const chunk = await this.#chunks.newest(ix)
    if (chunk?.seq0 !== tail.seq0) return
    const after = { seq: chunk.seq1, hash: chunk.hashAfter.toString('hex') }
    const ownHead = tail.knownHead(after.seq)
    if (ownHead.seq !== after.seq || ownHead.hash !== after.hash)
      throw new Error(`chunk ${chunk.seq0} of product ${ix} was not written by this process`)
    this.#unconfirmed.delete(product)
    this.#trim([{ ix, tail, after }])
  }

  #due(now: number): Compactable[] {
    const due: Compactable[] = []
    const { length } = this.#products
    for (let step = 0; step < length && due.length < chunksPerTurn; step++) {
      const product = this.#products[(this.#next + step) % length]
      if (product && isDue(product.tail, now)) due.push(product)
    }
    const last = due.at(-1)
    if (last) this.#next = (this.#products.indexOf(last) + 1) % length
    return due
  }

  /** The oldest flush that some product still needs. */
  #oldestNeeded(keptFrom: number): number {
    return this.#products.reduce(
      (oldest, { tail }) => Math.min(oldest, tail.oldestBatchAfter(tail.before.seq) ?? oldest),
      keptFrom,
    )
  }
}

/** Packs all ticks of a tail into one chunk. */
export async function compactTail(ix: number, tail: Tail): Promise<{ chunk: Chunk; after: Head }> {
  const { ticks, before, after } = tail.beginCompaction()
  const chunk = {
    ix,
    seq0: ticks.seq0,
    seq1: after.seq,
    at0: ticks.at[0] ?? 0,
    at1: ticks.at.at(-1) ?? 0,
    hashBefore: Buffer.from(before.hash, 'hex'),
    hashAfter: Buffer.from(after.hash, 'hex'),
    data: await packChunk(ticks),
  }
  return { chunk, after }
}

const isDue = (tail: Tail, now: number): boolean =>
  tail.count >= chunkTicks || (tail.firstAt !== undefined && now - tail.firstAt >= chunkMs)
