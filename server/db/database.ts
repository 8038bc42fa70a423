import type { MessagePort } from 'node:worker_threads'
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
/** Writes that belong in the same transaction as a change. */
export type WithinTransaction = (tx: DbTransaction) => Promise<unknown>

export type Database = {
  readonly db: Db
  readonly pool: Pool
  readonly kind: 'embedded' | 'postgres'
  /** `application_name` of all its sessions, and of no others. */
  readonly sessionName: string
  /** How another thread reaches it, by `openSharedDatabase`; the port of an embedded one can be transferred once. */
  address(): DatabaseAddress
  /** Brings the tables up to this build; safe to call on every start. */
  migrate(): Promise<void>
  /** Waits for the queries already requested, closes, and releases the data folder. */
  close(): Promise<void>
}

export type DatabaseAddress =
  { kind: 'embedded'; port: MessagePort } | { kind: 'postgres'; databaseUrl: string; sessionName: string }

/** Waiting longer than this for a connection is a failure: a query inside a transaction must use the transaction. */
const connectTimeoutMs = 30_000
/** PostgreSQL cancels statements that take longer; none of the venue's does. */
export const statementTimeoutMs = 60_000
const lockTimeoutMs = 15_000

/** The embedded database is one connection: all queries queue for it, and it is never closed for being idle. */
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

/** The venue's settings for PostgreSQL; the query string of the URL can override them. */
export function postgresPoolConfig(databaseUrl: string, sessionName: string, max = 12): PoolConfig {
  const address = new URL(databaseUrl)
  // A venue that takes over ends the previous leader's sessions by their name, so the name must be unique.
  address.searchParams.delete('application_name')
  return {
    connectionString: address.href,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: sessionName,
  }
}

/** Wraps an open pool. `afterEnd` runs once the pool has ended. */
export function createDatabase(
  kind: Database['kind'],
  pool: Pool,
  address: () => DatabaseAddress,
  afterEnd: () => Promise<void>,
  sessionName = 'uptick',
): Database {
  registerTypeParsers()
  // A connection that breaks while in use fails the query in progress, so the error event is ignored.
  pool.on('connect', (client) => client.on('error', () => undefined))
  let closing: Promise<void> | null = null
  const close = async (): Promise<void> => {
    await waitForQueue(pool)
    await pool.end()
    await afterEnd()
  }
  return {
    db: openDb(pool),
    pool,
    kind,
    sessionName,
    address,
    migrate: () => migrate(pool),
    close: () => (closing ??= close()),
  }
}

/** Drizzle over a pool. A connection that is still in a transaction after use is closed instead of reused. */
function openDb(pool: Pool): Db {
  const db: Db = drizzle(pool, { schema })
  db.transaction = async (work, config) => {
    const client = await pool.connect()
    try {
      return await drizzle(client, { schema }).transaction(work, config)
    } finally {
      client.release(client.getTransactionStatus() !== 'I')
    }
  }
  return db
}

/** A pool that ends drops the callers still waiting for a connection, so this waits behind the last of them. */
async function waitForQueue(pool: Pool): Promise<void> {
  if (pool.waitingCount === 0) return
  try {
    const client = await pool.connect()
    client.release()
  } catch {
    // The database is gone; the waiting callers got the same error.
  }
}
