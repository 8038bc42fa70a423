import { asc, sql } from 'drizzle-orm'
import { genesis } from '../../contract/chain.ts'
import type { Sha256Hex } from '../../contract/chain.ts'
import type { Db } from '../db/database.ts'
import { feedProduct, tickBatch } from '../db/schema/index.ts'
import { unpackBatch } from './batch.ts'
import type { BatchBlock } from './batch.ts'
import { LogCorruptError } from './corrupt.ts'
import { columnsOf, hashAfter } from './rehash.ts'
import { Tail } from './tail.ts'

export type LoggedProduct = typeof feedProduct.$inferSelect
/** The log as an earlier run left it. */
export type RecoveredLog = {
  products: Map<number, LoggedProduct>
  tails: Map<number, Tail>
  newest: { id: number; at: number } | null
}

/**
 * Reads what is not sealed yet, and the newest chunk's head of each product: never the whole log. Every tick read is
 * hashed again and must lead to the hash that its flush committed.
 * @throws LogCorruptError where it does not
 */
export async function recoverLog(db: Db, sha: Sha256Hex): Promise<RecoveredLog> {
  const products = new Map((await db.select().from(feedProduct)).map((row) => [row.ix, row]))
  const tails = await sealedTails(db, products, sha)
  const batches = await db.select().from(tickBatch).orderBy(asc(tickBatch.id))
  for (const { id, at, data } of batches) {
    for (const block of blocksOf(id, at, data)) {
      const product = products.get(block.ix)
      const tail = tails.get(block.ix)
      if (!product || !tail) throw new LogCorruptError(`number ${block.ix}`, block.seq0, 'it is unknown')
      takeBlock(tail, product, id, block, sha)
    }
  }
  const last = batches.at(-1)
  return { products, tails, newest: last ? { id: last.id, at: last.at } : null }
}

type LastChunk = { ix: number; seq: number; at: number; hash: Buffer }

async function sealedTails(
  db: Db,
  products: ReadonlyMap<number, LoggedProduct>,
  sha: Sha256Hex,
): Promise<Map<number, Tail>> {
  const { rows } = await db.execute<LastChunk>(sql`
    SELECT p.ix, c.seq1 AS seq, c.at1 AS at, c.hash_after AS hash FROM feed_product p,
      LATERAL (SELECT * FROM tick_chunk WHERE tick_chunk.ix = p.ix ORDER BY seq0 DESC LIMIT 1) c`)
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

function blocksOf(id: number, at: number, data: Buffer): BatchBlock[] {
  try {
    return unpackBatch(at, data)
  } catch {
    throw new LogCorruptError(`flush ${id}`, 0, 'its bytes cannot be read')
  }
}

/** Adds one flush's ticks of a product; a run that a chunk holds already is passed over. */
function takeBlock(
  tail: Tail,
  product: LoggedProduct,
  batch: number,
  block: BatchBlock,
  sha: Sha256Hex,
): void {
  const { seq0, values, hash } = block
  const head = tail.head
  if (seq0 + values.length / 3 - 1 <= tail.before.seq) return
  if (seq0 !== head.seq + 1) throw new LogCorruptError(product.id, head.seq + 1, 'ticks are missing')
  if (hashAfter(head.hash, product, columnsOf(seq0, values), sha) !== hash) {
    throw new LogCorruptError(product.id, seq0, 'its hash differs')
  }
  tail.append(batch, values, hash)
}
