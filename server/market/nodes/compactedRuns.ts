import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import type { Compacted } from '../commit.ts'

type Row = { ix: number; seq: number; hash: Buffer }

/** Up to where each product's ticks are in chunks: a node need not keep them in memory. */
export async function readCompacted(db: Db): Promise<Compacted> {
  const { rows } = await db.execute<Row>(sql`
    SELECT p.ix, c.seq, c.hash FROM feed_product p, LATERAL (
      SELECT seq1 AS seq, hash_after AS hash FROM tick_chunk
      WHERE tick_chunk.ix = p.ix ORDER BY seq0 DESC LIMIT 1) c`)
  return rows.map(({ ix, seq, hash }) => ({ ix, after: { seq, hash: hash.toString('hex') } }))
}
