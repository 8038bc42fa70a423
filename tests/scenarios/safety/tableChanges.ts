import type { Database } from '../../../server/platform/db/open.ts'

/** Prices, what is computed from them, and gaps: only the tick log writes these. */
export const marketTables = [
  'bucket_hour',
  'feed_gap',
  'feed_product',
  'feed_source',
  'minute_row',
  'product_terms',
  'tick_batch',
  'tick_chunk',
] as const

/**
 * Records prices and orders now.
 * @returns a function that lists the tables and orders that have changed since; new orders do not count
 */
export async function watchMarketTables(database: Database): Promise<() => Promise<string[]>> {
  const rowsOf = async (): Promise<Map<string, string>> => {
    const hashes = new Map<string, string>()
    for (const table of marketTables) {
      const { rows } = await database.pool.query<{ hash: string }>(
        `SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS hash FROM ${table} t`,
      )
      hashes.set(table, rows[0]?.hash ?? '')
    }
    const orders = await database.pool.query<{ id: string; hash: string }>(
      'SELECT id, md5(o::text) AS hash FROM orders o',
    )
    for (const { id, hash } of orders.rows) hashes.set(`order ${id}`, hash)
    return hashes
  }
  const before = await rowsOf()
  return async () => {
    const after = await rowsOf()
    return [...before].filter(([name, hash]) => after.get(name) !== hash).map(([name]) => name)
  }
}

/** How many rows each table has. */
export async function countRows(database: Database): Promise<Map<string, number>> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name`,
  )
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM "${name}"`,
    )
    counts.set(name, rows[0]?.count ?? 0)
  }
  return counts
}
