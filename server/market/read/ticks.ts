import { priceUnits } from '../../../contract/units.ts'
import type { Head, Sha256Hex, WireTick } from '../../../contract/chain.ts'
import type { SettleTick } from '../../../contract/settle.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { TickSlice } from '../ports.ts'
import { computedTicks, firstSeqAt } from '../seedHistory.ts'
import type { SeedHistory, ProductState } from '../productState.ts'
import { ticksOfChunk } from '../log/chunk.ts'
import type { Chunk, ChunkReads } from '../log/chunkStore.ts'
import { sliceColumns, upperBound, type TickColumns } from '../log/columns.ts'
import { hashAfter, toWireTick, toWireTicks } from '../log/rehash.ts'

const forever = Number.POSITIVE_INFINITY

/** What reading ticks for a result needs of a product. */
export type LoggedTicks = Pick<ProductState, 'ix' | 'tail'> & { settings: { id: string } }

/** Reads ticks: from memory if they are not compacted, else from chunks; ticks before the first start are computed. */
export class TickReader {
  readonly #chunks: ChunkReads
  readonly #sha: Sha256Hex
  /** Of the chunks that are still referenced. */
  readonly #unpacked = new WeakMap<Chunk, Promise<TickColumns>>()

  constructor(chunks: ChunkReads, sha: Sha256Hex) {
    this.#chunks = chunks
    this.#sha = sha
  }

  /**
   * Ticks with seq > afterSeq, ascending. An answer has either computed ticks (seq ≤ 0) or logged ones, never both.
   * @throws ApiError `PRUNED` with `firstSeq` if the next tick has been pruned
   */
  async after(state: ProductState, afterSeq: number, limit: number): Promise<TickSlice> {
    if (afterSeq < 0 && state.seedHistory) {
      const computed = this.#readComputed(state, state.seedHistory, afterSeq + 1, forever, limit)
      if (computed) return { ...computed, complete: computed.complete && state.tail.head.seq === 0 }
    }
    return this.#readLogged(state, Math.max(1, afterSeq + 1), forever, limit)
  }

  /** Ticks with from ≤ at ≤ to, ascending, like {@link after}. */
  async between(state: ProductState, from: number, to: number, limit: number): Promise<TickSlice> {
    const computed = state.seedHistory && this.#readComputed(state, state.seedHistory, null, to, limit, from)
    if (computed && state.seedHistory) {
      const more = computed.complete && (await this.firstTick(state, state.seedHistory.firstAt, to)) !== null
      return { ...computed, complete: computed.complete && !more }
    }
    return this.#readLogged(state, await this.#seqAt(state, from), to, limit)
  }

  /** The first logged tick with after < at ≤ until. */
  async firstTick(state: LoggedTicks, after: number, until: number): Promise<SettleTick | null> {
    const { tail, ix } = state
    if (after < tail.beforeAt) {
      const chunk = await this.#chunks.fromAt(ix, after + 1)
      if (chunk) {
        const ticks = await this.#unpack(state, chunk)
        return toSettleTick(ticks, upperBound(ticks.at, after), until)
      }
    }
    return toSettleTick(tail.slice(tail.indexAfter(after), 1), 0, until)
  }

  /** The last logged tick with at ≤ until. */
  async lastTick(state: LoggedTicks, until: number): Promise<SettleTick | null> {
    const { tail, ix } = state
    const tailCount = tail.indexAfter(until)
    if (tailCount > 0) return toSettleTick(tail.slice(tailCount - 1, 1), 0, until)
    const chunk = await this.#chunks.lastAt(ix, until)
    if (!chunk) return null
    const ticks = await this.#unpack(state, chunk)
    return toSettleTick(ticks, upperBound(ticks.at, until) - 1, until)
  }

  /** The logged ticks with after < at ≤ until; if they are fewer than `min`, the newest `min` with at ≤ until. */
  async ticksUntil(state: LoggedTicks, after: number, until: number, min: number): Promise<SettleTick[]> {
    const { tail, ix } = state
    // Copied before any await: ticks compacted in the meantime must not be missing from both parts.
    const { beforeAt } = tail
    const newest = columnsUntil(tail.slice(0, tail.indexAfter(until)), after, until, min)
    let ticks = toSettleTicks(newest)
    let oldest = newest.seq0
    if (oldest > tail.seq0 || (beforeAt <= after && ticks.length >= min)) return ticks
    let chunk = await this.#chunks.lastAt(ix, until)
    while (chunk) {
      const columns = await this.#unpack(state, chunk)
      const known = sliceColumns(columns, 0, Math.max(0, oldest - columns.seq0))
      const found = columnsUntil(known, after, until, min - ticks.length)
      ticks = [...toSettleTicks(found), ...ticks]
      oldest = chunk.seq0
      if (found.seq0 > oldest) return ticks
      const before: Chunk | null = await this.#chunks.fromSeq(ix, oldest - 1)
      chunk = before && before.seq0 < oldest ? before : null
    }
    return ticks
  }

  /** Computed ticks from a number or an instant on, up to `to`; null if there are none. */
  #readComputed(
    { settings }: ProductState,
    computed: SeedHistory,
    fromSeq: number | null,
    to: number,
    limit: number,
    from = 0,
  ): TickSlice | null {
    const seq = fromSeq ?? firstSeqAt(computed, Math.max(from, computed.from))
    if (seq > 0) return null
    // One more than requested, to see whether the limit cuts something off.
    const ticks = computedTicks(computed, seq, limit + 1)
    const inTime = upperBound(ticks.at, to)
    if (inTime === 0) return null
    const count = Math.min(limit, inTime)
    return {
      ticks: toWireTicks(settings, sliceColumns(ticks, 0, count)),
      complete: inTime <= limit,
      before: null,
    }
  }

  /** Number of the first logged tick with `at` ≥ from; if there is none, the next number. */
  async #seqAt(state: ProductState, from: number): Promise<number> {
    const { tail, ix } = state
    if (from > tail.beforeAt) return tail.seq0 + tail.indexAfter(from - 1)
    const { seq0 } = tail
    const chunk = await this.#chunks.fromAt(ix, from)
    if (!chunk) throw prunedError(seq0)
    const i = upperBound((await this.#unpack(state, chunk)).at, from - 1)
    // A pruned chunk may have reached into the requested time, so a missing previous chunk is an error.
    if (i === 0 && chunk.seq0 > 1 && chunk.at0 > from) {
      const before = await this.#chunks.fromSeq(ix, chunk.seq0 - 1)
      if (before?.seq0 === chunk.seq0) throw prunedError(chunk.seq0)
    }
    return chunk.seq0 + i
  }

  /** Logged ticks from `seq` on with at ≤ to. */
  async #readLogged(state: ProductState, seq: number, to: number, limit: number): Promise<TickSlice> {
    const { tail } = state
    const head = tail.head
    if (seq > head.seq) return { ticks: [], complete: true, before: seq === head.seq + 1 ? head : null }
    // Copied before any await: ticks compacted in the meantime must not be missing from both parts.
    const fromTail = tail.slice(Math.max(0, seq - tail.seq0), limit + 1)
    const isInTail = seq >= tail.seq0
    const known = isInTail ? tail.knownHead(seq - 1) : null
    if (known) {
      const skipped = tail.slice(known.seq + 1 - tail.seq0, seq - 1 - known.seq)
      return this.#collect(state, [fromTail], head, to, limit, () =>
        this.#headBefore(state, known.hash, skipped, seq),
      )
    }
    const parts: TickColumns[] = []
    let before: Head | null = null
    let next = seq
    while (next < fromTail.seq0 && next - seq <= limit) {
      const chunk = await this.#chunks.fromSeq(state.ix, next)
      if (!chunk || chunk.seq0 > next) {
        if (parts.length === 0) throw prunedError(chunk?.seq0 ?? fromTail.seq0)
        return this.#collect(state, parts, head, to, limit, () => before)
      }
      const ticks = await this.#unpack(state, chunk)
      const skip = next - chunk.seq0
      before ??= this.#headBefore(state, chunk.hashBefore.toString('hex'), sliceColumns(ticks, 0, skip), seq)
      parts.push(sliceColumns(ticks, skip, ticks.at.length))
      next = chunk.seq1 + 1
      if ((ticks.at.at(-1) ?? 0) > to) return this.#collect(state, parts, head, to, limit, () => before)
    }
    return this.#collect(state, [...parts, fromTail], head, to, limit, () => before)
  }

  /** Up to `limit` ticks of consecutive parts; `complete` if they are all ticks up to `to`. */
  #collect(
    state: ProductState,
    parts: TickColumns[],
    head: Head,
    to: number,
    limit: number,
    before: () => Head | null,
  ): TickSlice {
    const ticks: WireTick[] = []
    for (const part of parts) {
      for (let i = 0; i < part.at.length; i++) {
        if ((part.at[i] ?? 0) > to) return { ticks, complete: true, before: before() }
        if (ticks.length === limit) return { ticks, complete: false, before: before() }
        ticks.push(toWireTick(state.settings, part, i))
      }
    }
    const last = parts.at(-1)
    const reached = last ? last.seq0 + last.at.length - 1 : 0
    return { ticks, complete: reached >= head.seq, before: before() }
  }

  #headBefore(state: ProductState, hash: string, ticks: TickColumns, seq: number): Head {
    return { seq: seq - 1, hash: hashAfter(hash, state.settings, ticks, this.#sha) }
  }

  #unpack(state: LoggedTicks, chunk: Chunk): Promise<TickColumns> {
    const ticks = this.#unpacked.get(chunk) ?? ticksOfChunk(state.settings.id, chunk)
    this.#unpacked.set(chunk, ticks)
    return ticks
  }
}

const prunedError = (firstSeq: number): ApiError => new ApiError('PRUNED', { params: { firstSeq } })

/** The ticks of columns with after < at ≤ until; if they are fewer than `min`, the newest `min` with at ≤ until. */
function columnsUntil(ticks: TickColumns, after: number, until: number, min: number): TickColumns {
  const end = upperBound(ticks.at, until)
  return sliceColumns(ticks, Math.max(0, Math.min(upperBound(ticks.at, after), end - min)), end)
}

const toSettleTicks = ({ seq0, at, price }: TickColumns): SettleTick[] =>
  Array.from(at, (instant, i) => ({ seq: seq0 + i, at: instant, price: priceUnits(price[i] ?? 0) }))

function toSettleTick(ticks: TickColumns, i: number, until: number): SettleTick | null {
  const at = ticks.at[i]
  if (at === undefined || at > until) return null
  return { seq: ticks.seq0 + i, at, price: priceUnits(ticks.price[i] ?? 0) }
}
