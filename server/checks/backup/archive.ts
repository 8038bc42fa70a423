import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { create, extract } from 'tar'
import * as z from 'zod/mini'
import { BackupError } from './backupError.ts'
import { decryptFile } from './encryption.ts'
import { keyIdOf, type Keys } from './keyFile.ts'
import { errorCodeOf } from '../../platform/errorCode.ts'

/** What is in a backup beside its manifest: the database, encrypted, and the photos, which are in the data folder too. */
export const encryptedFile = 'database.dump.age'
/** The database, decrypted. */
export const databaseFile = 'database.dump'
export const uploadsFolder = 'uploads'
const manifestFile = 'manifest.json'

const manifest = z.object({
  format: z.literal('uptick backup 2'),
  /** Of the database: its dump is of pg_dump, or PGlite's own. */
  kind: z.enum(['postgres', 'embedded']),
  /** Of the build that made it. */
  version: z.string(),
  /** Epoch ms before the snapshot. */
  at: z.number(),
  /** The SHA-256 of every file, hex. */
  files: z.record(z.string(), z.string()),
  /** Photos of the snapshot that were removed while the files were copied. */
  removed: z.array(z.string()),
  /** Which keys it needs, as `keyIdOf` names them. */
  key: z.string(),
})
export type Manifest = z.infer<typeof manifest>

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** A folder beside the backup in which it is put together. */
export async function createStage(file: string): Promise<string> {
  if (await exists(file)) throw new BackupError(`${file} exists: name another file`)
  const stage = `${file}.part`
  try {
    await mkdir(stage, { mode: 0o700 })
    await mkdir(join(stage, uploadsFolder), { mode: 0o700 })
  } catch (error) {
    const code = errorCodeOf(error) ?? ''
    throw new BackupError(
      code === 'EEXIST'
        ? `${stage} exists: another backup is being made, or one was interrupted: then delete it`
        : `${stage} cannot be created (${code})`,
    )
  }
  return stage
}

/** Packs the stage into the backup, which appears under its name only when it is complete and on the disk. */
export async function packStage(stage: string, file: string, content: Manifest): Promise<void> {
  const packed = join(stage, 'packed.tar')
  const text = await open(join(stage, manifestFile), 'wx', 0o600)
  await text.writeFile(`${JSON.stringify(content, null, 2)}\n`)
  await text.close()
  await create({ file: packed, cwd: stage, portable: true, mode: 0o600, strict: true }, [
    manifestFile,
    encryptedFile,
    uploadsFolder,
  ])
  const handle = await open(packed, 'r')
  await handle.sync()
  await handle.close()
  await rename(packed, file)
  await rm(stage, { recursive: true })
}

/**
 * Unpacks a backup into an empty folder, and decrypts its database.
 * @returns its manifest, and the files whose content is not that of the manifest
 * @throws BackupError if it is no backup, or not a complete one, or needs other keys
 */
export async function unpack(
  file: string,
  dir: string,
  keys: Keys | null,
): Promise<{ manifest: Manifest; damaged: string[] }> {
  if (!(await exists(file))) throw new BackupError(`${file} does not exist`)
  const found = new Set([manifestFile, encryptedFile])
  const allowed = (path: string): boolean => found.has(path) || path.startsWith(`${uploadsFolder}/`)
  try {
    await extract({ file, cwd: dir, strict: true, filter: allowed })
  } catch {
    throw new BackupError(`${file} is not a backup, or is damaged: it cannot be unpacked`)
  }
  const text = await readFile(join(dir, manifestFile), 'utf8').catch(() => null)
  const parsed = manifest.safeParse(text === null ? null : parseJson(text))
  if (!parsed.success) throw new BackupError(`${file} has no manifest: it is not a complete backup`)
  const { data } = parsed
  const opening = openingKeys(file, data.key, keys)
  const damaged: string[] = []
  for (const [name, sha256] of Object.entries(data.files)) {
    const path = join(dir, name)
    if (!allowed(name) || !(await exists(path)) || (await sha256OfFile(path)) !== sha256) damaged.push(name)
  }
  if (!damaged.includes(encryptedFile)) await decryptDatabase(dir, opening, damaged)
  return { manifest: data, damaged }
}

function openingKeys(file: string, needed: string, keys: Keys | null): Keys {
  if (keys === null)
    throw new BackupError(
      `${file} is encrypted with the venue key ${needed}: set VENUE_KEY, or --keys KEYFILE`,
    )
  if (keyIdOf(keys) !== needed)
    throw new BackupError(
      `${file} is encrypted with the venue key ${needed}, and these keys are ${keyIdOf(keys)}`,
    )
  return keys
}

async function decryptDatabase(dir: string, keys: Keys, damaged: string[]): Promise<void> {
  try {
    await decryptFile(join(dir, encryptedFile), join(dir, databaseFile), keys)
    await rm(join(dir, encryptedFile))
  } catch {
    damaged.push(encryptedFile)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Whether a folder has nothing in it, or does not exist. */
export const isEmptyFolder = async (dir: string): Promise<boolean> =>
  (await readdir(dir).catch(() => [])).length === 0
