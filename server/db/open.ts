import { join } from 'node:path'
import { Pool } from 'pg'
import { connectTimeoutMs, databaseOf, embeddedPoolConfig } from './database.ts'
import type { Database } from './database.ts'
import { openEmbedded } from './embedded.ts'
import { lockDataDir } from './lock.ts'

export type { Database, Db, DbTransaction } from './database.ts'
export { openMemoryDatabase } from './memory.ts'

export interface DatabaseSettings {
  /** PostgreSQL 15 or later; left out: the embedded database in `dataDir`. */
  readonly databaseUrl?: string
  /** Locked for this process with either database: uploads and keys lie there too. */
  readonly dataDir: string
  /** Entry of the embedded database's thread; found by itself when left out. */
  readonly workerUrl?: URL
  /** Told when a connection breaks while no query runs; the next query opens a new one or fails. */
  readonly onConnectionLost?: (error: Error) => void
}

const postgresConnections = 12

/**
 * Opens the venue's database and locks its data folder. Nothing is migrated yet.
 * @throws DataDirLockedError when another process holds the data folder
 */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const lock = await lockDataDir(settings.dataDir)
  try {
    const opened =
      settings.databaseUrl === undefined
        ? await openEmbeddedPool(settings)
        : await openPostgresPool(settings.databaseUrl)
    opened.pool.on('error', (error) => settings.onConnectionLost?.(error))
    return databaseOf(opened.kind, opened.pool, async () => {
      await opened.close()
      await lock.release()
    })
  } catch (error) {
    await lock.release()
    throw error
  }
}

interface OpenedPool {
  readonly kind: Database['kind']
  readonly pool: Pool
  close(): Promise<void>
}

async function openEmbeddedPool(settings: DatabaseSettings): Promise<OpenedPool> {
  const embedded = await openEmbedded(join(settings.dataDir, 'db'), settings.workerUrl)
  const pool = new Pool(embeddedPoolConfig(() => embedded.connect()))
  return { kind: 'embedded', pool, close: () => embedded.close() }
}

async function openPostgresPool(databaseUrl: string): Promise<OpenedPool> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: postgresConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'uptick',
  })
  try {
    await pool.query('SELECT 1')
  } catch (error) {
    await pool.end()
    throw error
  }
  return { kind: 'postgres', pool, close: async () => undefined }
}
