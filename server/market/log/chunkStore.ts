import { and, asc, desc, eq, gte, inArray, lt, lte, sql } from 'drizzle-orm'
import type { Db, DbTransaction } from '../../db/database.ts'
import type { Fence } from '../../db/fence.ts'
import { tickBatch, tickChunk } from '../../db/schema/index.ts'

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
export type ChunkStore = ChunkReads & {
  /** Writes chunks and deletes the flushes below `batchesBelow`, which are all compacted now, in one transaction. */
  compact(chunks: readonly Chunk[], batchesBelow: number): Promise<void>
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
  const allowDeletes = sql`SELECT set_config('uptick.prune', 'on', true)`
  return {
    ...createChunkReads(db),
    compact: (chunks, batchesBelow) =>
      fence.transaction(db, async (tx) => {
        await tx.execute(allowDeletes)
        if (chunks.length > 0) await tx.insert(tickChunk).values([...chunks])
        await tx.delete(tickBatch).where(lt(tickBatch.id, batchesBelow))
      }),
    prune: async (ix, seq0s) => {
      for (let i = 0; i < seq0s.length; i += pruneRowsMax) {
        await fence.transaction(db, async (tx) => {
          await tx.execute(allowDeletes)
          const slice = seq0s.slice(i, i + pruneRowsMax)
          await tx.delete(tickChunk).where(and(eq(tickChunk.ix, ix), inArray(tickChunk.seq0, slice)))
        })
      }
    },
  }
}

const chunkBefore = (ix: number, seq: number) =>
  sql`coalesce((SELECT max(seq0) FROM tick_chunk WHERE ix = ${ix} AND seq0 <= ${seq}), 0)`
