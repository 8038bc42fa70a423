import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Pool } from 'pg'
import { systemClock } from '../clock.ts'
import { createDatabase, embeddedPoolConfig, postgresPoolConfig } from './database.ts'
import type { Database, DatabaseAddress } from './database.ts'
import { connectThrough, openEmbedded } from './embedded.ts'
import { startHousekeeping } from './housekeeping.ts'
import { lockDataDir } from './lock.ts'
import type { DataDirLock } from './lock.ts'

export type { Database, Db, DbTransaction } from './database.ts'
export { openMemoryDatabase } from './memory.ts'

export type DatabaseSettings = {
  /** PostgreSQL 15 or later; defaults to the embedded database in `dataDir`. */
  readonly databaseUrl?: string
  /** Locked for this process with either database, because uploads and keys are stored there too. */
  readonly dataDir: string
  /** Entry of the embedded database's thread; has a default. */
  readonly workerUrl?: URL
  /**
   * Called on failures outside a query: an idle connection that broke, housekeeping (log it through safeDbError), or
   * EmbeddedClosedError: the embedded database's thread ended and the venue should stop.
   */
  readonly onBackgroundError?: (error: unknown) => void
}

/**
 * Opens the venue's database and locks its data folder, without migrating.
 * @throws DataDirLockedError if another process has locked the data folder
 */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  return openLockedDatabase(settings, await lockDataDir(settings.dataDir))
}

/** As `openDatabase`, in a data folder that is locked already. Releases the lock on close, and if it cannot be opened. */
export async function openLockedDatabase(settings: DatabaseSettings, lock: DataDirLock): Promise<Database> {
  const onError = settings.onBackgroundError ?? (() => undefined)
  try {
    return settings.databaseUrl === undefined
      ? await openEmbeddedDatabase(settings, onError, lock)
      : await openPostgresDatabase(settings.databaseUrl, onError, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

type OnError = (error: unknown) => void

async function openEmbeddedDatabase(
  settings: DatabaseSettings,
  onError: OnError,
  lock: DataDirLock,
): Promise<Database> {
  const embedded = await openEmbedded(join(settings.dataDir, 'db'), onError, settings.workerUrl)
  const pool = new Pool(embeddedPoolConfig(() => embedded.connect()))
  pool.on('error', onError)
  const stopHousekeeping = startHousekeeping(pool, systemClock(), onError)
  const address = (): DatabaseAddress => ({ kind: 'embedded', port: embedded.share() })
  return createDatabase('embedded', pool, address, async () => {
    await stopHousekeeping()
    await embedded.close()
    await lock.release()
  })
}

async function openPostgresDatabase(
  databaseUrl: string,
  onError: OnError,
  lock: DataDirLock,
): Promise<Database> {
  const sessionName = `uptick ${randomUUID()}`
  const pool = new Pool(postgresPoolConfig(databaseUrl, sessionName))
  pool.on('error', onError)
  try {
    await pool.query('SELECT 1')
  } catch (error) {
    await pool.end()
    throw error
  }
  const address = (): DatabaseAddress => ({ kind: 'postgres', databaseUrl, sessionName })
  return createDatabase('postgres', pool, address, () => lock.release(), sessionName)
}

/** The engine's concurrent work: flush, entries, settlement, chunk compaction, and their reads. */
const sharedConnections = 6

/** Opens a database that another thread of this process has open, with separate connections of high priority. */
export function openSharedDatabase(address: DatabaseAddress, onError: OnError): Database {
  const pool = new Pool(
    address.kind === 'embedded'
      ? embeddedPoolConfig(() => connectThrough(address.port))
      : postgresPoolConfig(address.databaseUrl, address.sessionName, sharedConnections),
  )
  pool.on('error', onError)
  return createDatabase(
    address.kind,
    pool,
    () => address,
    async () => undefined,
  )
}
