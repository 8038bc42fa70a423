import { and, asc, desc, eq, gte, lt, lte, sql } from 'drizzle-orm'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { tickChunk } from '../schema.ts'

export type Chunk = typeof tickChunk.$inferSelect

export type ChunkSpan = Pick<Chunk, 'ix' | 'seq0' | 'at0' | 'at1'>

/** The compacted part of the log. Chunks of a product never overlap; pruning leaves holes between them. */
export type ChunkReads = {
  /** The chunk that contains `seq`, else the first one after it. */
  fromSeq(ix: number, seq: number): Promise<Chunk | null>
  /** The first chunk with a tick at or after t. */
  fromAt(ix: number, t: number): Promise<Chunk | null>
  /** The last chunk with a tick at or before t. */
  lastAt(ix: number, t: number): Promise<Chunk | null>
  /** The chunks that start at or before `seq`, newest first. */
  upTo(ix: number, seq: number, limit: number): Promise<Chunk[]>
  newest(ix: number): Promise<Chunk | null>
  /** Every chunk of every product with a tick at or after t. */
  since(t: number): Promise<Chunk[]>
  /** The spans of the chunks that ended before t, product by product, oldest first. */
  endedBefore(t: number): Promise<ChunkSpan[]>
}
/** The number of flushes deleted in one statement (`compact_flushes`). */
export const flushesPerTurn = 100

export type ChunkStore = ChunkReads & {
  /** Writes chunks in one transaction. Their ticks are in the flushes too, until those are deleted. */
  compact(chunks: readonly Chunk[]): Promise<void>
  /**
   * Deletes some of the oldest flushes below a number; the database refuses those that it needs for open orders, or whose
   * ticks are not all in chunks.
   * @returns the number of the oldest flush that is left
   */
  deleteFlushes(below: number): Promise<number>
  /** Deletes chunks; the database refuses a product's newest, and those that open orders need. */
  prune(ix: number, seq0s: readonly number[]): Promise<void>
}

const pruneRowsMax = 500

export function createChunkReads(db: Db | DbTransaction): ChunkReads {
  const first = async (rows: Promise<Chunk[]>): Promise<Chunk | null> => (await rows)[0] ?? null
  return {
    fromSeq: (ix, seq) =>
      first(
        // The chunk that starts at or before `seq` may contain it: comparing its end too needs one query only.
        db
          .select()
          .from(tickChunk)
          .where(
            and(eq(tickChunk.ix, ix), gte(tickChunk.seq1, seq), gte(tickChunk.seq0, chunkBefore(ix, seq))),
          )
          .orderBy(asc(tickChunk.seq0))
          .limit(1),
      ),
    fromAt: (ix, t) =>
      first(
        db
          .select()
          .from(tickChunk)
          .where(and(eq(tickChunk.ix, ix), gte(tickChunk.at1, t)))
          .orderBy(asc(tickChunk.at1), asc(tickChunk.seq0))
          .limit(1),
      ),
    lastAt: (ix, t) =>
      first(
        db
          .select()
          .from(tickChunk)
          .where(and(eq(tickChunk.ix, ix), lte(tickChunk.at0, t)))
          .orderBy(desc(tickChunk.seq0))
          .limit(1),
      ),
    upTo: (ix, seq, limit) =>
      db
        .select()
        .from(tickChunk)
        .where(and(eq(tickChunk.ix, ix), lte(tickChunk.seq0, seq)))
        .orderBy(desc(tickChunk.seq0))
        .limit(limit),
    newest: (ix) =>
      first(db.select().from(tickChunk).where(eq(tickChunk.ix, ix)).orderBy(desc(tickChunk.seq0)).limit(1)),
    since: (t) =>
      db
        .select()
        .from(tickChunk)
        .where(gte(tickChunk.at1, t))
        .orderBy(asc(tickChunk.ix), asc(tickChunk.seq0)),
    endedBefore: (t) =>
      db
        .select({ ix: tickChunk.ix, seq0: tickChunk.seq0, at0: tickChunk.at0, at1: tickChunk.at1 })
        .from(tickChunk)
        .where(lt(tickChunk.at1, t))
        .orderBy(asc(tickChunk.ix), asc(tickChunk.seq0)),
  }
}

export function createChunkStore(db: Db, fence: Fence): ChunkStore {
  return {
    ...createChunkReads(db),
    compact: (chunks) =>
      fence.transaction(db, async (tx) => {
        if (chunks.length > 0) await tx.insert(tickChunk).values([...chunks])
      }),
    deleteFlushes: (below) =>
      fence.transaction(db, async (tx) => {
        const { rows } = await tx.execute<{ oldest: number }>(
          sql`SELECT compact_flushes(${below}::bigint) AS oldest`,
        )
        return rows[0]?.oldest ?? 0
      }),
    prune: async (ix, seq0s) => {
      for (let i = 0; i < seq0s.length; i += pruneRowsMax) {
        const slice = seq0s.slice(i, i + pruneRowsMax)
        await fence.transaction(db, (tx) =>
          tx.execute(sql`SELECT prune_chunks(${ix}::integer, ${sql.param(slice)}::bigint[])`),
        )
      }
    },
  }
}

const chunkBefore = (ix: number, seq: number) =>
  sql`coalesce((SELECT max(seq0) FROM tick_chunk WHERE ix = ${ix} AND seq0 <= ${seq}), 0)`
