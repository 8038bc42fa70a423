import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../clock.ts'
import { createDatabase, embeddedPoolConfig, openPool, type Database } from './database.ts'
import type { DatabaseAddress, PostgresAddress } from './address.ts'
import { connectThrough, openEmbedded } from './embedded.ts'
import { startHousekeeping } from './housekeeping.ts'
import { lockDataDir, type DataDirLock } from './lock.ts'
import { connecting } from './operatorErrors.ts'
import type { Clock } from '../ports.ts'
import { EmbeddedRoles } from './roles/embeddedRoles.ts'
import { poolConfigOf, PostgresRoles } from './roles/postgresRoles.ts'
import { assertOwnSession } from './sessionStart.ts'
import type { DatabaseTrouble } from './trouble.ts'
import { waitForStart } from './waitForStart.ts'

export type { Database, Db, DbTransaction } from './database.ts'
export { openMemoryDatabase } from './memory.ts'

export type DatabaseSettings = {
  /** PostgreSQL 15 or later; null is the embedded database in `dataDir`. */
  readonly databaseUrl?: string | null
  /** Of the tables' owner, if the venue logs in as another role. */
  readonly databaseOwnerUrl?: string | null
  /** Locked for this process with either database, because uploads and keys are stored there too. */
  readonly dataDir: string
  /** Entry of the embedded database's thread; has a default. */
  readonly workerUrl?: URL
  /** Times the embedded database's housekeeping; defaults to the machine's clock. */
  readonly clock?: Clock
  /**
   * Called on failures outside a query: an idle connection that broke, housekeeping (log it through safeDbError), or
   * EmbeddedClosedError: the embedded database's thread ended and the venue should stop.
   */
  readonly onBackgroundError?: (error: unknown) => void
  /** Waits for PostgreSQL if it is starting, for a bounded time, and is called once when that begins. */
  readonly onWaiting?: (trouble: DatabaseTrouble) => void
}

/**
 * Opens the venue's database and locks its data folder, without changing its schema.
 * @throws DataDirLockedError if another process has locked the data folder
 */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  return openLockedDatabase(settings, await lockDataDir(settings.dataDir))
}

const embeddedDir = (dataDir: string): string => join(dataDir, 'db')

/** Whether the data folder has an embedded database, so that opening it writes nothing new. */
export const hasEmbeddedDatabase = (dataDir: string): boolean =>
  existsSync(join(embeddedDir(dataDir), 'PG_VERSION'))

/**
 * Like `openDatabase`, in a data folder that is locked already. Releases the lock on close, and if it cannot be opened.
 */
export async function openLockedDatabase(settings: DatabaseSettings, lock: DataDirLock): Promise<Database> {
  const onError = settings.onBackgroundError ?? (() => undefined)
  const { databaseUrl = null, databaseOwnerUrl: ownerUrl = null } = settings
  try {
    if (databaseUrl === null) return await openEmbeddedDatabase(settings, onError, lock)
    const urls = { databaseUrl, ownerUrl }
    const open = (): Promise<Database> => openPostgresDatabase(urls, onError, () => lock.release())
    return await (settings.onWaiting ? waitForStart(open, settings.onWaiting) : open())
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
  const embedded = await openEmbedded(embeddedDir(settings.dataDir), onError, settings.workerUrl)
  const roles = new EmbeddedRoles((role) => embedded.connect(role), onError)
  const stopHousekeeping = startHousekeeping(roles.owner, settings.clock ?? systemClock(), onError)
  const address = (): DatabaseAddress => ({ kind: 'embedded', port: embedded.share(), roles: roles.names })
  const close = async (): Promise<void> => {
    await stopHousekeeping()
    await roles.close()
    await embedded.close()
    await lock.release()
  }
  return createDatabase(roles.pool, address, close, () => roles.use(), roles.owner)
}

/** Opens PostgreSQL alone, without the data folder of a venue. */
export async function openPostgresDatabase(
  urls: Pick<PostgresAddress, 'databaseUrl'> & Partial<Pick<PostgresAddress, 'ownerUrl' | 'sessionName'>>,
  onError: OnError = () => undefined,
  afterEnd: () => Promise<void> = async () => undefined,
): Promise<Database> {
  const address: PostgresAddress = {
    kind: 'postgres',
    ownerUrl: null,
    sessionName: `uptick ${randomUUID()}`,
    roles: null,
    ...urls,
  }
  const pool = openPool(poolConfigOf(address, null), onError)
  try {
    await connecting(address, () => assertOwnSession(pool))
  } catch (error) {
    await pool.end()
    throw error
  }
  const roles = new PostgresRoles(pool, address, onError)
  const close = async (): Promise<void> => {
    await roles.close()
    await afterEnd()
  }
  return createDatabase(pool, address, close, () => roles.use())
}

/** The engine's concurrent work: flush, entries, settlement, chunk compaction, and their reads. */
const sharedConnections = 6
/** How many stay open without work: a standby engine has them ready when it leads. */
const sharedConnectionsMin = 1

/** Opens a database that another thread of this process has open, with separate connections of high priority. */
export function openSharedDatabase(address: DatabaseAddress, onError: OnError): Database {
  const pool = openPool(
    address.kind === 'embedded'
      ? embeddedPoolConfig(() => connectThrough(address.port, address.roles?.engine ?? null))
      : {
          ...poolConfigOf(address, address.roles?.engine ?? null, sharedConnections),
          min: sharedConnectionsMin,
        },
    onError,
  )
  const isEmbedded = address.kind === 'embedded'
  return createDatabase(pool, isEmbedded ? () => address : address, async () => undefined)
}
