import { asc, sql } from 'drizzle-orm'
import { genesis, type Sha256Hex } from '../../../contract/chain.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { feedProduct, tickBatch } from '../schema.ts'
import { unpackBatch, unpackWatermarks, type BatchBlock } from './batch.ts'
import { LogCorruptError, type BrokenRow } from '../../platform/logCorruptError.ts'
import { hashAfterBlock } from './rehash.ts'
import { Tail } from './tail.ts'

export type LoggedProduct = typeof feedProduct.$inferSelect
/** The log as the previous run left it. */
export type RecoveredLog = {
  products: Map<number, LoggedProduct>
  tails: Map<number, Tail>
  newest: { id: number; at: number; term: number } | null
  /** Until when each live product is covered, by its number; every other one is covered up to the newest flush. */
  watermarks: ReadonlyMap<number, number>
}

/**
 * Reads the ticks that are not compacted yet, and the head of each product's newest chunk, never the whole log. Every
 * tick is hashed again and must match the hash that its flush committed.
 * @throws LogCorruptError if a hash does not match
 */
export async function recoverLog(db: Db | DbTransaction, sha: Sha256Hex): Promise<RecoveredLog> {
  const products = new Map((await db.select().from(feedProduct)).map((row) => [row.ix, row]))
  const tails = await createTails(db, products, sha)
  const batches = await db.select().from(tickBatch).orderBy(asc(tickBatch.id))
  for (const [i, flush] of batches.entries()) {
    assertInOrder(batches, i)
    for (const block of unpackFlush(flush)) {
      const product = products.get(block.ix)
      const tail = tails.get(block.ix)
      if (!product || !tail) {
        throw new LogCorruptError(`product ${block.ix}`, block.seq0, 'it is not registered', rowOf(flush))
      }
      appendBlock(tail, product, flush, block, sha)
    }
  }
  const last = batches.at(-1)
  const watermarks = last ? unpackWatermarks(last.at, last.data) : new Map<number, number>()
  return { products, tails, newest: last ? { id: last.id, at: last.at, term: last.term } : null, watermarks }
}

type LastChunk = { ix: number; seq: number; at: number; hash: Buffer }

async function createTails(
  db: Db | DbTransaction,
  products: ReadonlyMap<number, LoggedProduct>,
  sha: Sha256Hex,
): Promise<Map<number, Tail>> {
  // After a cut the chain continues from the head that was public before it, until a chunk follows that head.
  const { rows } = await db.execute<LastChunk>(sql`
    SELECT p.ix, c.seq, c.at, c.hash FROM feed_product p, LATERAL (
      (SELECT seq1 AS seq, at1 AS at, hash_after AS hash FROM tick_chunk
        WHERE tick_chunk.ix = p.ix ORDER BY seq0 DESC LIMIT 1)
      UNION ALL
      (SELECT seq, at, hash FROM log_resume WHERE log_resume.ix = p.ix ORDER BY seq DESC LIMIT 1)
      ORDER BY seq DESC LIMIT 1) c`)
  const chunks = new Map(rows.map((row) => [row.ix, row]))
  return new Map(
    [...products.values()].map(({ ix, id }) => {
      const chunk = chunks.get(ix)
      return [
        ix,
        chunk
          ? new Tail({ seq: chunk.seq, hash: chunk.hash.toString('hex') }, chunk.at)
          : new Tail(genesis(id, sha), Number.NEGATIVE_INFINITY),
      ]
    }),
  )
}

type FlushRow = typeof tickBatch.$inferSelect

const rowOf = ({ id, at }: FlushRow): BrokenRow => ({ kind: 'flush', id, at })

/** Flush numbers are consecutive; their instants and their leaders' terms never decrease. */
function assertInOrder(batches: readonly FlushRow[], i: number): void {
  const [flush, before] = [batches[i], batches[i - 1]]
  if (!flush || !before) return
  const broken = (row: FlushRow, why: string): LogCorruptError =>
    new LogCorruptError(`flush ${row.id}`, 0, why, rowOf(row))
  if (flush.id !== before.id + 1) throw broken(flush, `flushes between ${before.id} and this one are missing`)
  if (flush.term < before.term) throw broken(flush, 'it is of an earlier term than the flush before it')
  if (flush.at >= before.at) return
  // The instants of two flushes are out of order: the flush before both decides which one is wrong.
  const isPreviousAhead = flush.at >= (batches[i - 2]?.at ?? 0)
  throw isPreviousAhead
    ? broken(before, 'it is later than the flush after it')
    : broken(flush, 'it is older than the flush before it')
}

function unpackFlush(flush: FlushRow): BatchBlock[] {
  try {
    return unpackBatch(flush.at, flush.data)
  } catch {
    throw new LogCorruptError(`flush ${flush.id}`, 0, 'its bytes cannot be read', rowOf(flush))
  }
}

/** Appends one flush's ticks of a product; ticks that are already in a chunk are skipped. */
function appendBlock(
  tail: Tail,
  product: LoggedProduct,
  flush: FlushRow,
  block: BatchBlock,
  sha: Sha256Hex,
): void {
  const { seq0, values, provenance, hash } = block
  const head = tail.head
  if (seq0 + values.length / 3 - 1 <= tail.before.seq) return
  if (seq0 !== head.seq + 1) {
    throw new LogCorruptError(product.id, head.seq + 1, 'ticks are missing', rowOf(flush))
  }
  if (hashAfterBlock(head.hash, product, block, sha) !== hash) {
    throw new LogCorruptError(product.id, seq0, 'its hash differs', rowOf(flush))
  }
  tail.append(flush.id, values, hash, provenance)
}
