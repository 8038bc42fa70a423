import { sql } from 'drizzle-orm'
import type { Db } from './db/database.ts'
import { createFreshValue, valueWithin } from './freshValue.ts'
import type { Clock, Market } from './ports.ts'

/** What a node knows of itself; the same for one that leads and one that follows. */
export type NodeState = {
  /** Null if the database does not answer in time. */
  database: {
    /** The leader's term. */
    term: number
    /** How far the newest flush that this node shows is behind the newest committed one, ms. */
    lagMs: number
  } | null
}

export type NodeHealth = { read(): Promise<NodeState> }

/** The database is asked at most this often, however many ask: `/healthz` is public. */
const freshMs = 500
/** A database that takes longer does not serve members either. */
const answerMaxMs = 1000

type Row = { at: number | null; term: number }

export function createNodeHealth(parts: {
  db: Db
  clock: Clock
  market: Pick<Market, 'flushedAt'>
}): NodeHealth {
  const { db, clock, market } = parts
  const readRow = createFreshValue(clock, freshMs, async () => {
    const { rows } = await db.execute<Row>(sql`
      SELECT (SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1) AS at, (SELECT term FROM lease) AS term`)
    return rows[0]
  })
  return {
    read: async () => {
      const row = await valueWithin(clock, answerMaxMs, readRow())
      if (!row) return { database: null }
      return { database: { term: row.term, lagMs: Math.max(0, (row.at ?? 0) - market.flushedAt()) } }
    },
  }
}
