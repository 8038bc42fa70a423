import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import type { Database } from '../../platform/db/database.ts'
import { openEmbeddedEngine } from '../../platform/db/embeddedEngine.ts'
import { lockDataDir } from '../../platform/db/lock.ts'
import { createEngineDatabase } from '../../platform/db/memory.ts'
import { withDataDirErrors } from '../../platform/db/operatorErrors.ts'
import { BackupError } from './backupError.ts'
import { exists } from './archive.ts'
import { dumpPostgres, openForCommand } from './postgresTools.ts'
import type { PlatformSettings } from '../../platform/settings.ts'

/** The database of a venue, for one command. */
export type Source = {
  kind: Database['kind']
  database: Database
  /** Passes on a snapshot of it. */
  dump: (write: (dump: Readable) => Promise<void>) => Promise<void>
  close(): Promise<void>
}

/**
 * Opens the venue's database. A PostgreSQL may have venues running on it; the embedded one has a single process, so its
 * venue must be stopped.
 * @throws SettingsError, DataDirLockedError, BackupError
 */
export function openSource(settings: PlatformSettings): Promise<Source> {
  const { dataDir } = settings
  const databaseUrl = settings.databaseOwnerUrl ?? settings.databaseUrl
  return withDataDirErrors({ dataDir }, () =>
    databaseUrl === null ? openEmbedded(dataDir) : openPostgres(databaseUrl),
  )
}

async function openPostgres(databaseUrl: string): Promise<Source> {
  const database = await openForCommand(databaseUrl)
  return {
    kind: 'postgres',
    database,
    dump: (write) => dumpPostgres(databaseUrl, write),
    close: () => database.close(),
  }
}

async function openEmbedded(dataDir: string): Promise<Source> {
  const dir = join(dataDir, 'db')
  if (!(await exists(join(dir, 'PG_VERSION'))))
    throw new BackupError(`there is no database in ${dataDir}: set DATA_DIR or DATABASE_URL`)
  const lock = await lockDataDir(dataDir)
  try {
    const engine = await openEmbeddedEngine(dir)
    const database = createEngineDatabase(engine, async () => {
      await engine.close()
      await lock.release()
    })
    return {
      kind: 'embedded',
      database,
      dump: async (write) => {
        await database.pool.query('CHECKPOINT')
        const snapshot = await engine.pglite.dumpDataDir('gzip')
        await write(Readable.fromWeb(snapshot.stream() as NodeWebStream<Uint8Array>))
      },
      close: () => database.close(),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}
