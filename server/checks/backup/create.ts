import { constants } from 'node:fs'
import { copyFile, link, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inArray, isNull } from 'drizzle-orm'
import { appVersion } from '../../../contract/constants.ts'
import type { Db } from '../../platform/db/database.ts'
import { upload, uploadNamePattern } from '../../notices/index.ts'
import { writeLastBackup } from '../../platform/lastBackup.ts'
import {
  createStage,
  encryptedFile,
  packStage,
  sha256OfFile,
  uploadsFolder,
  type Manifest,
} from './archive.ts'
import { encryptTo } from './encryption.ts'
import { keyIdOf, readVenueKeys, writeKeyFile, type Keys } from './keyFile.ts'
import { assertDumpable } from './postgresTools.ts'
import { openSource, type Source } from './source.ts'
import type { PlatformSettings } from '../../platform/settings.ts'
import { hasErrorCode } from '../../platform/errorCode.ts'

type Progress = (line: string) => void

/** What a backup has, and the photos of the database whose files are not in the data folder. */
export type CreatedBackup = { manifest: Manifest; missing: readonly string[] }

/**
 * Makes a backup: a snapshot of the database, encrypted with the venue's keys, then the photos, whose files never change and
 * are encrypted already. One that fails leaves no file behind.
 * @param keyFile a file that gets the keys
 * @throws BackupError, SettingsError or DataDirLockedError with one line
 */
export async function createBackup(
  settings: PlatformSettings,
  file: string,
  progress: Progress,
  keyFile?: string,
): Promise<CreatedBackup> {
  const keys = await readVenueKeys(settings)
  const source = await openSource(settings)
  const written: string[] = []
  try {
    if (source.kind === 'postgres') await assertDumpable(source.database, settings)
    const stage = await createStage(file)
    written.push(stage)
    // Before the copy, which may take long: it must not fail at its end.
    if (keyFile !== undefined) {
      await writeKeyFile(keyFile, keys)
      written.push(keyFile)
    }
    const { manifest, missing } = await fillStage(source, settings, { stage, keys, progress })
    progress('packing …')
    await packStage(stage, file, manifest)
    written.push(file)
    await writeLastBackup(source.database.db, { at: manifest.at })
    return { manifest, missing }
  } catch (error) {
    for (const path of written) await rm(path, { recursive: true, force: true })
    throw error
  } finally {
    await source.close()
  }
}

async function fillStage(
  { kind, database, dump }: Source,
  { dataDir }: PlatformSettings,
  { stage, keys, progress }: { stage: string; keys: Keys; progress: Progress },
): Promise<CreatedBackup> {
  const { db } = database
  const before = await storedPhotos(db)
  const at = Date.now()
  progress('copying the database …')
  const encrypted = join(stage, encryptedFile)
  await dump((content) => encryptTo(encrypted, content, keys))
  const files: Manifest['files'] = { [encryptedFile]: await sha256OfFile(encrypted) }
  const from = join(dataDir, uploadsFolder)
  const names = (await readdir(from).catch(() => [])).filter((name) => uploadNamePattern.test(name))
  progress(`copying ${names.length} photos …`)
  for (const name of names) {
    const path = `${uploadsFolder}/${name}`
    if (await copy(join(from, name), join(stage, path))) files[path] = await sha256OfFile(join(stage, path))
  }
  const absent = before.filter((id) => !(`${uploadsFolder}/${id}` in files))
  const stillStored = new Set(await storedPhotos(db, absent))
  for (const id of stillStored) progress(`photo ${id} is missing in ${from}`)
  const removed = absent.filter((id) => !stillStored.has(id))
  const of = { kind, version: appVersion, at, files, removed }
  const manifest = { format: 'uptick backup 2', ...of, key: keyIdOf(keys) } as const
  return { manifest, missing: [...stillStored] }
}

/** The photos that the database has; of some of them, if they are named. */
async function storedPhotos(db: Db, among?: readonly string[]): Promise<string[]> {
  const { id, removedAt } = upload
  const rows = await db
    .select({ id, removedAt })
    .from(upload)
    .where(among ? inArray(id, [...among]) : isNull(removedAt))
  return rows.filter((row) => row.removedAt === null).map((row) => row.id)
}

/** Links a file, or copies it to another disk. Returns false if it was removed meanwhile. */
async function copy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_EXCL))
    return true
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false
    throw error
  }
}
