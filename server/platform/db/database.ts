import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { Client, Pool, type ClientConfig, type PoolConfig } from 'pg'
import { watchForLostServer } from './lostServer.ts'
import { migrate } from './migrate.ts'
import { migrating } from './operatorErrors.ts'
import { withRetry } from './retry.ts'
import { markAsDatabase } from './trouble.ts'
import { registerTypeParsers } from './types.ts'
import type { DatabaseAddress, PostgresAddress } from './address.ts'

/** Drizzle over the venue's tables: the same type for both databases. */
export type Db = NodePgDatabase
/** What a query needs: the database itself or an open transaction of it. */
export type DbTransaction = Parameters<Parameters<Db['transaction']>[0]>[0]
/** Writes that belong in the same transaction as a change. */
export type WithinTransaction = (tx: DbTransaction) => Promise<unknown>

export type Database = {
  readonly db: Db
  readonly pool: Pool
  /** For an embedded database the connections of its superuser, whatever role `pool` has. */
  readonly owner: Pool
  readonly kind: 'embedded' | 'postgres'
  /** `application_name` of all its sessions, and of no others. */
  readonly sessionName: string
  /** Null if it is embedded. */
  readonly postgres: PostgresAddress | null
  /** How another thread reaches it, by `openSharedDatabase`; the port of an embedded one can be transferred once. */
  address(): DatabaseAddress
  /** Brings the schema up to this build's; safe to call on every start. */
  migrate(): Promise<void>
  /**
   * Works as roles that own nothing from now on, each with what it needs; call it after `migrate`, before the engine's
   * thread gets the address. Returns false if there are none and the login may not create them: it stays the owner.
   */
  useRoles(): Promise<boolean>
  /** Waits for the queries already requested, closes, and releases the data folder. */
  close(): Promise<void>
}

/** Waiting longer than this for a connection is a failure: a query inside a transaction must use the transaction. */
const connectTimeoutMs = 30_000
/** PostgreSQL cancels statements that take longer; none of the venue's does. */
export const statementTimeoutMs = 60_000
/** What every session has. */
export const timeLimits = {
  statement_timeout: statementTimeoutMs,
  lock_timeout: 15_000,
  idle_in_transaction_session_timeout: statementTimeoutMs,
}

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

const poolMax = 12

/** The venue's settings for PostgreSQL itself; the query string of the URL can override them. */
export function postgresPoolConfig(url: string, sessionName: string, max = poolMax): PoolConfig {
  const address = new URL(url)
  // A venue that takes over ends the previous leader's sessions by their name, so the name must be unique.
  address.searchParams.delete('application_name')
  return {
    connectionString: address.href,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: sessionName,
    ...timeLimits,
  }
}

/**
 * A connection whose failures say that they are the database's (`databaseTrouble`). It may break while it is in use: that
 * fails the query in progress, so its error event ends nothing else.
 */
class MarkingClient extends Client {
  constructor(config?: ClientConfig) {
    super(config)
    this.on('error', markAsDatabase)
  }

  override connect(): Promise<Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
    if (callback === undefined) return super.connect()
    super.connect((error: Error | null) => {
      markAsDatabase(error)
      callback(error as Error)
    })
    return undefined
  }
}

/**
 * A pool whose connections may break.
 * @param onIdleError a connection without a query broke, which the pool replaces; without it the process would end
 */
export function openPool(config: PoolConfig, onIdleError: (error: unknown) => void): Pool {
  const pool = new Pool({ ...config, Client: MarkingClient })
  pool.on('error', onIdleError)
  // The embedded database has no address: it ends with this process.
  if (config.connectionString !== undefined) watchForLostServer(pool)
  return pool
}

/** Connections that begin as a role; null is the login itself, whatever role its sessions begin with otherwise. */
export function withRole(config: PoolConfig, role: string | null): PoolConfig {
  const address = new URL(config.connectionString ?? '')
  const own = address.searchParams.get('options')
  address.searchParams.delete('options')
  const name = (role ?? 'none').replaceAll(/[\\\s]/g, (character) => `\\${character}`)
  return {
    ...config,
    connectionString: address.href,
    options: [...(own === null ? [] : [own]), `-c role=${name}`].join(' '),
  }
}

/** Wraps a pool of `openPool`. `afterEnd` runs once the pool has ended. */
export function createDatabase(
  pool: Pool,
  address: PostgresAddress | (() => DatabaseAddress),
  afterEnd: () => Promise<void>,
  useRoles: () => Promise<boolean> = async () => false,
  owner: Pool = pool,
): Database {
  registerTypeParsers()
  let closing: Promise<void> | null = null
  const close = async (): Promise<void> => {
    await waitForQueue(pool)
    await pool.end()
    await afterEnd()
  }
  const shared = { db: openDb(pool), pool, owner, useRoles, close: () => (closing ??= close()) }
  if (typeof address === 'function')
    return {
      ...shared,
      kind: 'embedded',
      sessionName: 'uptick',
      postgres: null,
      address,
      migrate: () => migrate(pool),
    }
  return {
    ...shared,
    kind: 'postgres',
    sessionName: address.sessionName,
    postgres: address,
    address: () => address,
    migrate: () => migrating(address, () => withOwner(address, migrate)),
  }
}

/** As the owner, over a connection of its own: the schema's changes lock and set their session. */
export async function withOwner<T>(
  { databaseUrl, ownerUrl, sessionName }: PostgresAddress,
  work: (pool: Pool) => Promise<T>,
): Promise<T> {
  const pool = openPool(
    withRole(postgresPoolConfig(ownerUrl ?? databaseUrl, sessionName, 1), null),
    () => undefined,
  )
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/**
 * Drizzle over a pool. A transaction that lost against another one (SQLSTATE 40001, 40P01) runs again, up to six times in
 * all: its work has no effect outside it, and returns what is to happen after the commit. A connection that is still in a
 * transaction after use is closed instead of reused.
 */
function openDb(pool: Pool): Db {
  const db: Db = drizzle(pool)
  db.transaction = (work, config) =>
    withRetry(async () => {
      const client = await pool.connect()
      try {
        return await drizzle(client).transaction(work, config)
      } finally {
        client.release(client.getTransactionStatus() !== 'I')
      }
    })
  return db
}

/** A pool that ends drops the callers still waiting for a connection, so this waits behind the last of them. */
async function waitForQueue(pool: Pool): Promise<void> {
  if (pool.waitingCount === 0) return
  try {
    const client = await pool.connect()
    client.release()
  } catch {
    // The database is unavailable; the waiting callers got the same error.
  }
}
