import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { aggregateCandles, bucketOf, candleOf, type Candle } from '../../../contract/candles.ts'
import { ticksOfChunk } from '../log/chunk.ts'
import type { ChunkReads } from '../log/chunkStore.ts'
import { upperBound, type TickColumns } from '../log/columns.ts'
import type { ProductState, SeedHistory } from '../productState.ts'
import { computedTicks, firstSeqAt } from '../seedHistory.ts'

/**
 * Ticks read for one answer at most. An answer that stops here has fewer bars than were requested; the ones before them
 * are in the next page.
 */
const ticksMax = 500_000
/** Chunks read in one query: of a busy product each has two seconds. */
const chunksPerQuery = 16
/** Computed ticks folded at a time. */
const computedTicksPerPiece = 4096
/** Candles of complete pieces in memory, of all products: about 10 MB. */
const cachedCandlesMax = 100_000

/** The candles, in units and ascending, of consecutive ticks that never change: those of a chunk, or computed ones. */
type Piece = { seq0: number; count: number; candles: readonly Candle[] }

/**
 * Candles shorter than a minute, which are not stored: folded from the ticks in memory, then from chunks, then from the
 * computed day before the first start. What is folded once stays in memory for the next chart that needs it.
 */
export class ShortCandleReader {
  readonly #chunks: Pick<ChunkReads, 'fromAt' | 'upTo'>
  readonly #pieces = new LRUCache<string, Piece>({
    maxSize: cachedCandlesMax,
    sizeCalculation: ({ candles }) => candles.length + 1,
  })

  constructor(chunks: Pick<ChunkReads, 'fromAt' | 'upTo'>) {
    this.#chunks = chunks
  }

  /**
   * The newest candles that open before `end`, ascending, in units: at most `limit`, and fewer if that takes more than
   * {@link ticksMax} ticks. None only if there are no ticks before.
   * @param end a bound between two candles
   */
  async read(state: ProductState, tfMs: number, end: number, limit: number): Promise<Candle[]> {
    let candles: Candle[] = []
    let ticks = 0
    for await (const piece of this.#backwards(state, tfMs, end)) {
      const older = piece.candles.filter(({ openAt }) => openAt < end).slice(-(limit + 1))
      candles = aggregateCandles([...older, ...candles], tfMs)
      ticks += piece.count
      // The oldest candle read may be incomplete.
      const complete = candles.length - 1
      if (complete >= limit || (complete > 0 && ticks >= ticksMax)) return candles.slice(1).slice(-limit)
    }
    return candles
  }

  /** Yields consecutive pieces from the newest one that has ticks before `end` back to the oldest. */
  async *#backwards(state: ProductState, tfMs: number, end: number): AsyncGenerator<Piece> {
    const { tail, ix, seedHistory } = state
    // Copied before any await: ticks compacted in the meantime must not be missing from both parts.
    const { seq0, beforeAt } = tail
    yield foldTicks(tail.slice(0, tail.indexAfter(end - 1)), tfMs)
    let lastSeq = seq0 - 1
    if (end <= beforeAt) lastSeq = (await this.#chunks.fromAt(ix, end))?.seq1 ?? lastSeq
    while (lastSeq > 0) {
      const piece = await this.#chunkPiece(state, tfMs, lastSeq)
      // Pruned: older chunks are the proofs of single orders, no history.
      if (!piece) return
      yield piece
      lastSeq = piece.seq0 - 1
    }
    if (seedHistory) yield* this.#computedPieces(state, seedHistory, tfMs, end)
  }

  /** The chunk that ends with a tick; null if it is not in the log. */
  async #chunkPiece(state: ProductState, tfMs: number, lastSeq: number): Promise<Piece | null> {
    const known = this.#pieces.get(keyOf(state, tfMs, lastSeq))
    if (known) return known
    let found: Piece | null = null
    for (const chunk of await this.#chunks.upTo(state.ix, lastSeq, chunksPerQuery)) {
      const piece = foldTicks(await ticksOfChunk(state.settings.id, chunk), tfMs)
      this.#pieces.set(keyOf(state, tfMs, chunk.seq1), piece)
      if (chunk.seq1 === lastSeq) found = piece
    }
    return found
  }

  async *#computedPieces(
    state: ProductState,
    seedHistory: SeedHistory,
    tfMs: number,
    end: number,
  ): AsyncGenerator<Piece> {
    const oldest = firstSeqAt(seedHistory, seedHistory.from)
    const newest = Math.min(0, firstSeqAt(seedHistory, end) - 1)
    // Pieces begin at the same ticks whatever is requested, so that they can be used again.
    let lastSeq = -Math.floor(-newest / computedTicksPerPiece) * computedTicksPerPiece
    while (lastSeq >= oldest) {
      const seq0 = Math.max(oldest, lastSeq - computedTicksPerPiece + 1)
      const key = keyOf(state, tfMs, lastSeq)
      let piece = this.#pieces.get(key)
      if (!piece) {
        piece = foldTicks(computedTicks(seedHistory, seq0, lastSeq - seq0 + 1), tfMs)
        this.#pieces.set(key, piece)
        await yieldToEventLoop()
      }
      yield piece
      lastSeq = seq0 - 1
    }
  }
}

const keyOf = ({ ix }: ProductState, tfMs: number, lastSeq: number): string => `${ix} ${tfMs} ${lastSeq}`

/** Folds ticks into candles, in units. */
function foldTicks({ seq0, at, price, size }: TickColumns, tfMs: number): Piece {
  const candles: Candle[] = []
  const count = at.length

  for (let from = 0; from < count;) {
    const openAt = bucketOf(at[from] ?? 0, tfMs)
    const to = from + upperBound(at.subarray(from), openAt + tfMs - 1)
    const last = candleOf(tfMs, seq0 + from, at[from] ?? 0, price[from] ?? 0, 0)
    for (let i = from; i < to; i++) {
      const each = price[i] ?? 0
      if (each > last.high) last.high = each
      if (each < last.low) last.low = each
      last.volume += size[i] ?? 0
    }
    last.close = price[to - 1] ?? 0
    last.lastSeq = seq0 + to - 1
    candles.push(last)
    from = to
  }
  return { seq0, count, candles }
}
