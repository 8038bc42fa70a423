import { drizzle } from 'drizzle-orm/node-postgres'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Pool, PoolConfig } from 'pg'
import { migrate } from './migrate.ts'
import * as schema from './schema/index.ts'
import { registerTypeParsers } from './types.ts'

/** Drizzle over the venue's tables: the same type for both databases. */
export type Db = NodePgDatabase<typeof schema>
/** What a query needs: the database itself or an open transaction of it. */
export type DbTransaction = Parameters<Parameters<Db['transaction']>[0]>[0]

export interface Database {
  readonly db: Db
  readonly pool: Pool
  readonly kind: 'embedded' | 'postgres'
  /** Brings the tables up to this build; safe to call on every start. */
  migrate(): Promise<void>
  /** Waits for running queries, closes, and lets go of the data folder. */
  close(): Promise<void>
}

/** Waiting longer than this for a connection is a failure: a query inside a transaction must use the transaction. */
export const connectTimeoutMs = 30_000

/** The embedded database is one connection: everybody queues for it, and it is never given up for being idle. */
export function embeddedPoolConfig(stream: NonNullable<PoolConfig['stream']>): PoolConfig {
  return {
    stream,
    host: 'embedded',
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: connectTimeoutMs,
  }
}

/** Wraps an open pool. `after` runs once the pool has ended. */
export function databaseOf(kind: Database['kind'], pool: Pool, after: () => Promise<void>): Database {
  registerTypeParsers()
  let closing: Promise<void> | null = null
  return {
    db: drizzle(pool, { schema }),
    pool,
    kind,
    migrate: () => migrate(pool),
    close: () => (closing ??= pool.end().then(after)),
  }
}
