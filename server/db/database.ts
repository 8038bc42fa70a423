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
/** What has to be written together with a change, in its transaction. */
export type WithinTransaction = (tx: DbTransaction) => Promise<unknown>

export type Database = {
  readonly db: Db
  readonly pool: Pool
  readonly kind: 'embedded' | 'postgres'
  /** `application_name` of all its sessions; nobody else's. */
  readonly sessionName: string
  /** How another thread reaches it, by `openShared`; the port of an embedded one is handed over, once. */
  address(): DatabaseAddress
  /** Brings the tables up to this build; safe to call on every start. */
  migrate(): Promise<void>
  /** Waits for the queries already asked for, closes, and lets go of the data folder. */
  close(): Promise<void>
}

export type DatabaseAddress =
  { kind: 'embedded'; port: MessagePort } | { kind: 'postgres'; databaseUrl: string; sessionName: string }

/** Waiting longer than this for a connection is a failure: a query inside a transaction must use the transaction. */
const connectTimeoutMs = 30_000
/** PostgreSQL gives up on what takes longer; nothing the venue asks for does. */
export const statementTimeoutMs = 60_000
const lockTimeoutMs = 15_000

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

/** What the venue asks of PostgreSQL; the address may say otherwise in its query string. */
export function postgresPoolConfig(databaseUrl: string, sessionName: string, max = 12): PoolConfig {
  const address = new URL(databaseUrl)
  // A venue that takes over ends the sessions of the one before by their name: it must not be shared.
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

/** Wraps an open pool. `after` runs once the pool has ended. */
export function createDatabase(
  kind: Database['kind'],
  pool: Pool,
  address: () => DatabaseAddress,
  after: () => Promise<void>,
  sessionName = 'uptick',
): Database {
  registerTypeParsers()
  // A connection that breaks while it is used fails the query under way: that is how its user hears of it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  let closing: Promise<void> | null = null
  const close = async (): Promise<void> => {
    await waitForQueue(pool)
    await pool.end()
    await after()
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

/** Drizzle over a pool. A connection that is still in a transaction when its user is done is closed, not handed on. */
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

/** A pool that ends forgets the callers still waiting for a connection: wait behind the last of them first. */
async function waitForQueue(pool: Pool): Promise<void> {
  if (pool.waitingCount === 0) return
  try {
    const client = await pool.connect()
    client.release()
  } catch {
    // The database is gone; those waiting were told so as well.
  }
}
