import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../config.ts'
import type { Database } from '../db/database.ts'
import { openEmbeddedEngine } from '../db/embeddedEngine.ts'
import { lockDataDir } from '../db/lock.ts'
import { createEngineDatabase } from '../db/memory.ts'
import { withDataDirErrors } from '../db/operatorErrors.ts'
import { BackupError } from './backupError.ts'
import { exists } from './archive.ts'
import { dumpPostgres, openForCommand } from './postgresTools.ts'

/** The database of a venue, for one command. */
export type Source = {
  kind: Database['kind']
  database: Database
  /** Writes a snapshot of it. */
  dump: (file: string) => Promise<void>
  close(): Promise<void>
}

/**
 * Opens the venue's database. A PostgreSQL may have venues running on it; the embedded one has a single process, so its
 * venue must be stopped.
 * @throws SettingsError, DataDirLockedError, BackupError
 */
export function openSource(settings: Settings): Promise<Source> {
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
    dump: (file) => dumpPostgres(databaseUrl, file),
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
      dump: async (file) => {
        await database.pool.query('CHECKPOINT')
        const snapshot = await engine.pglite.dumpDataDir('gzip')
        await writeFile(file, snapshot.stream(), { mode: 0o600 })
      },
      close: () => database.close(),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}
