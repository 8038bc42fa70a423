import { asc } from 'drizzle-orm'
import { priceUnits } from '../../contract/units.ts'
import { genesis, linkHash, type Head, type Sha256Hex } from '../../contract/chain.ts'
import type { Gap, SettleSource, SettleTick } from '../../contract/settle.ts'
import type { Db, DbTransaction } from '../platform/db/database.ts'
import { feedGap } from './schema.ts'
import { unpackChunk } from './log/chunk.ts'
import { createChunkReads, type Chunk } from './log/chunkStore.ts'
import { upperBound, type TickColumns } from './log/columns.ts'
import { brokenChunk, LogCorruptError } from '../platform/logCorruptError.ts'
import { toWireTick } from './log/rehash.ts'
import { recoverLog, type LoggedProduct } from './log/tailRecovery.ts'
import type { Tail } from './log/tail.ts'
import { readSources } from './registration.ts'

/** The stored log as a sequence of ticks, for a replay: it shares no reading for results with the venue. */
export type ReplayLog = {
  readonly heads: ReadonlyMap<string, Head>
  watermark(productId: string): number
  /** The public gaps, and the time after the watermark. */
  gaps(productId: string): readonly Gap[]
  sources(productId: string): readonly SettleSource[]
  /** Every logged tick with after < at ≤ until, ascending. Orders read faster one after another in time. */
  ticksIn(productId: string, after: number, until: number): Promise<SettleTick[]>
  /** The chain's hash after a tick; null if the tick is not in the log (any more). */
  hashAt(productId: string, seq: number): Promise<string | null>
}

/** Consecutive ticks and the hash before them; `hashes` are those after each, once they are needed. */
type Run = { ix: number; before: string; ticks: TickColumns; hashes?: string[] }
/** `newest` has the ticks that are not in a chunk. */
type Logged = { product: LoggedProduct; tail: Tail; newest: Run }

/** Decoded chunks that are kept: orders that overlap in time need the same ones. */
const keptRuns = 8

/** @throws LogCorruptError if the ticks that are not compacted yet cannot be verified */
export async function openReplayLog(db: Db | DbTransaction, sha: Sha256Hex): Promise<ReplayLog> {
  const { products, tails, newest: newestFlush, watermarks } = await recoverLog(db, sha)
  const sources = await readSources(db)
  const gapRows = await db.select().from(feedGap).orderBy(asc(feedGap.ix), asc(feedGap.fromAt))
  const logged = new Map<string, Logged>()
  for (const product of products.values()) {
    const tail = tails.get(product.ix)
    if (!tail) continue
    const newest = { ix: product.ix, before: tail.before.hash, ticks: tail.slice(0, tail.count) }
    logged.set(product.id, { product, tail, newest })
  }
  const find = (id: string): Logged => {
    const found = logged.get(id)
    if (!found) throw new Error(`the log has no product ${id}`)
    return found
  }
  const watermark = (id: string): number => watermarks.get(find(id).product.ix) ?? newestFlush?.at ?? 0
  const runs = createRuns(db, (ix) => products.get(ix)?.id ?? `product ${ix}`)
  return {
    heads: new Map([...logged].map(([id, { tail }]) => [id, tail.head])),
    watermark,
    gaps: (id) => {
      const { ix } = find(id).product
      const closed = gapRows.filter((row) => row.ix === ix)
      return [...closed.map((row) => ({ from: row.fromAt, to: row.toAt })), { from: watermark(id), to: null }]
    },
    sources: (id) => sources.get(find(id).product.ix) ?? [],
    ticksIn: async (id, after, until) => {
      const { product, tail, newest } = find(id)
      const found: SettleTick[] = []
      let run = after < tail.beforeAt ? await runs.fromAt(product.ix, after) : null
      while (run && (run.ticks.at[0] ?? Number.POSITIVE_INFINITY) <= until) {
        addTicks(found, run.ticks, after, until)
        run = await runs.fromSeq(product.ix, endOf(run.ticks))
      }
      addTicks(found, newest.ticks, after, until)
      return found
    },
    hashAt: async (id, seq) => {
      const { product, tail, newest } = find(id)
      if (seq === 0) return genesis(id, sha).hash
      if (seq > tail.head.seq) return null
      if (seq === tail.before.seq) return tail.before.hash
      const run = seq >= tail.seq0 ? newest : await runs.fromSeq(product.ix, seq)
      if (!run || run.ticks.seq0 > seq) return null
      run.hashes ??= hashesOf(run, product, sha)
      return run.hashes[seq - run.ticks.seq0] ?? null
    },
  }
}

export const endOf = (ticks: TickColumns): number => ticks.seq0 + ticks.at.length

/**
 * Reads chunks, and keeps the newest few decoded. Its reads reject with a LogCorruptError if the bytes of one cannot be read.
 * @param idOf the id of a product with some number
 */
export function createRuns(db: Db | DbTransaction, idOf: (ix: number) => string) {
  const chunks = createChunkReads(db)
  const kept: Run[] = []
  const decode = async (chunk: Chunk | null): Promise<Run | null> => {
    if (!chunk) return null
    const ticks = await unpackChunk(chunk.seq0, chunk.data).catch(() => {
      throw new LogCorruptError(idOf(chunk.ix), chunk.seq0, 'its bytes cannot be read', brokenChunk(chunk))
    })
    const run: Run = { ix: chunk.ix, before: chunk.hashBefore.toString('hex'), ticks }
    kept.unshift(run)
    kept.length = Math.min(kept.length, keptRuns)
    return run
  }
  return {
    /** The run with the first tick after an instant. */
    fromAt: async (ix: number, after: number): Promise<Run | null> =>
      kept.find(
        ({ ix: own, ticks: { at } }) => own === ix && (at[0] ?? 0) <= after && (at.at(-1) ?? 0) > after,
      ) ?? decode(await chunks.fromAt(ix, after + 1)),
    /** The run with a tick, else the first one after it. */
    fromSeq: async (ix: number, seq: number): Promise<Run | null> =>
      kept.find(({ ix: own, ticks }) => own === ix && ticks.seq0 <= seq && seq < endOf(ticks)) ??
      decode(await chunks.fromSeq(ix, seq)),
  }
}

export function addTicks(found: SettleTick[], ticks: TickColumns, after: number, until: number): void {
  const end = upperBound(ticks.at, until)
  for (let i = upperBound(ticks.at, after); i < end; i++)
    found.push({ seq: ticks.seq0 + i, at: ticks.at[i] ?? 0, price: priceUnits(ticks.price[i] ?? 0) })
}

function hashesOf({ before, ticks }: Run, product: LoggedProduct, sha: Sha256Hex): string[] {
  let hash = before
  return Array.from(
    ticks.at,
    (_, i) => (hash = linkHash(hash, product.id, toWireTick(product, ticks, i), sha)),
  )
}
