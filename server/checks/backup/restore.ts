import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { becomeAnotherVenue } from '../../platform/anotherVenue.ts'
import type { Database } from '../../platform/db/database.ts'
import { restoreEmbeddedEngine } from '../../platform/db/embeddedEngine.ts'
import { lockDataDir } from '../../platform/db/lock.ts'
import { createEngineDatabase } from '../../platform/db/memory.ts'
import { withDataDirErrors } from '../../platform/db/operatorErrors.ts'
import { databaseFile, exists, isEmptyFolder, unpack, uploadsFolder, type Manifest } from './archive.ts'
import { BackupError } from './backupError.ts'
import { assertNoVenueKeys, findVenueKeys, writeVenueKeys, type Keys } from './keyFile.ts'
import { openForCommand, restorePostgres } from './postgresTools.ts'
import type { PlatformSettings } from '../../platform/settings.ts'

type Progress = (line: string) => void

/**
 * Restores a backup into an empty database and data folder; what is not empty is left as it is.
 * @param keys the data folder gets them; without, those of the environment or the folder open the backup
 * @throws BackupError, SettingsError or DataDirLockedError with one line
 */
export async function restoreBackup(
  settings: PlatformSettings,
  file: string,
  keys: Keys | null,
  progress: Progress,
): Promise<Manifest> {
  const { dataDir } = settings
  return withDataDirErrors({ dataDir }, async () => {
    const lock = await lockDataDir(dataDir)
    const scratch = await mkdtemp(join(dataDir, 'restore-'))
    try {
      await assertEmptyFolder(dataDir, keys)
      progress('unpacking …')
      const { manifest, damaged } = await unpack(file, scratch, keys ?? (await findVenueKeys(settings)))
      if (damaged.length > 0)
        throw new BackupError(`${file} is damaged (${damaged[0]}): nothing was restored`)
      progress('restoring the database …')
      await restoreDatabase(settings, manifest, join(scratch, databaseFile))
      await mkdir(join(scratch, uploadsFolder), { recursive: true, mode: 0o700 })
      // It exists already if it is the mount point of a shared folder.
      await moveFiles(join(scratch, uploadsFolder), join(dataDir, uploadsFolder), manifest)
      if (keys !== null) await writeVenueKeys(dataDir, keys)
      return manifest
    } finally {
      await rm(scratch, { recursive: true, force: true })
      await lock.release()
    }
  })
}

async function assertEmptyFolder(dataDir: string, keys: Keys | null): Promise<void> {
  for (const name of ['db', uploadsFolder]) {
    const path = join(dataDir, name)
    if (!(await isEmptyFolder(path))) throw new BackupError(`${path} is not empty: nothing was restored`)
  }
  if (keys !== null) await assertNoVenueKeys(dataDir)
}

async function restoreDatabase(settings: PlatformSettings, { kind }: Manifest, dump: string): Promise<void> {
  const { dataDir } = settings
  const databaseUrl = settings.databaseOwnerUrl ?? settings.databaseUrl
  if (kind === 'embedded') {
    if (databaseUrl !== null)
      throw new BackupError('this is a backup of an embedded database: restore it without DATABASE_URL')
    const engine = await restoreEmbeddedEngine(join(dataDir, 'db'), new Blob([await readFile(dump)]))
    return withDatabase(
      createEngineDatabase(engine, () => engine.close()),
      ({ db }) => becomeAnotherVenue(db),
    )
  }
  if (databaseUrl === null)
    throw new BackupError('this is a backup of a PostgreSQL database: set DATABASE_URL')
  return withDatabase(await openForCommand(databaseUrl), async (database) => {
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' LIMIT 1`,
    )
    if (rows[0]) throw new BackupError(`the database is not empty (${rows[0].name}): nothing was restored`)
    await restorePostgres(databaseUrl, dump)
    await becomeAnotherVenue(database.db)
  })
}

async function withDatabase(database: Database, work: (database: Database) => Promise<void>): Promise<void> {
  try {
    await work(database)
  } finally {
    await database.close()
  }
}

async function moveFiles(from: string, to: string, { files }: Manifest): Promise<void> {
  if (!(await exists(to))) return rename(from, to)
  for (const path of Object.keys(files)) {
    if (!path.startsWith(`${uploadsFolder}/`)) continue
    const name = path.slice(uploadsFolder.length + 1)
    await copyFile(join(from, name), join(to, name))
  }
}
