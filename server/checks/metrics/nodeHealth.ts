import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { createFreshValue, valueWithin } from '../../platform/freshValue.ts'
import type { Clock } from '../../platform/ports.ts'
import type { Market } from '../../market/index.ts'

/** A node's own state, in the same form for a leader and a follower. */
export type NodeState = {
  /** Null if the database does not answer in time. */
  database: {
    /** The leader's term. */
    term: number
    /** How far the newest flush that this node shows is behind the newest committed one, ms. */
    lagMs: number
    /** How far the venue's time is ahead of the database's clock, ms; half the round trip may be wrong. */
    timeOffsetMs: number
  } | null
}

export type NodeHealth = { read(): Promise<NodeState> }

/** The database is asked at most this often, however many ask: `/healthz` is public. */
const freshMs = 500
/** A database that takes longer does not serve members either. */
const answerMaxMs = 1000

type Row = { at: number | null; term: number; now: number }

export function createNodeHealth(parts: {
  db: Db
  clock: Clock
  market: Pick<Market, 'flushedAt'>
}): NodeHealth {
  const { db, clock, market } = parts
  const readRow = createFreshValue(clock, freshMs, async () => {
    const askedAt = clock.now()
    const { rows } = await db.execute<Row>(sql`
      SELECT (SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1) AS at, (SELECT term FROM lease) AS term,
        (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`)
    const [row] = rows
    return row && { ...row, timeOffsetMs: (askedAt + clock.now()) / 2 - row.now }
  })
  return {
    read: async () => {
      const row = await valueWithin(clock, answerMaxMs, readRow())
      if (!row) return { database: null }
      const { term, at, timeOffsetMs } = row
      return { database: { term, lagMs: Math.max(0, (at ?? 0) - market.flushedAt()), timeOffsetMs } }
    },
  }
}
