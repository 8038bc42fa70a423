import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deriveKey } from '../../platform/keyDerivation.ts'
import { venueKeyFile } from '../../platform/secrets.ts'
import { parseVenueKey, venueKeyRule } from '../../platform/venueKey.ts'
import { BackupError } from './backupError.ts'
import type { PlatformSettings } from '../../platform/settings.ts'
import { errorCodeOf } from '../../platform/errorCode.ts'
import { readIfThere } from '../../platform/textFile.ts'

/** The key that a venue's keys are derived from, as in `VENUE_KEY`. */
export type Keys = string

/** The two keys that encrypt. */
export function encryptingKeys(keys: Keys): Record<'uploadKey' | 'idempotencyKey', Buffer> {
  const parsed = parseVenueKey(keys)
  if (!parsed?.uploadKey || !parsed.idempotencyKey) throw new BackupError('The venue key is not readable')
  const { uploadKey, idempotencyKey } = parsed
  return { uploadKey: Buffer.from(uploadKey, 'hex'), idempotencyKey: Buffer.from(idempotencyKey, 'hex') }
}

/** Names the keys that a backup needs, and tells nothing of them. */
export const keyIdOf = (keys: Keys): string =>
  deriveKey(encryptingKeys(keys).uploadKey, 'backup key id').toString('hex').slice(0, 16)

/**
 * The key of a venue, from the environment or its data folder.
 * @throws BackupError if it is neither here nor there
 */
export async function readVenueKeys({
  dataDir,
  venueKey,
}: Pick<PlatformSettings, 'dataDir' | 'venueKey'>): Promise<Keys> {
  const path = join(dataDir, venueKeyFile)
  const key = venueKey ?? (await readVenueKeyFile(path))
  if (key === null)
    throw new BackupError(`VENUE_KEY is not set, and there is no ${path}: a backup is encrypted with it`)
  if (parseVenueKey(key) === null) throw new BackupError(`${path} does not contain a key: it ${venueKeyRule}`)
  return key
}

async function readVenueKeyFile(path: string): Promise<string | null> {
  const content = await readIfThere(path).catch((error: unknown) => {
    throw new BackupError(`${path} cannot be read`, { cause: error })
  })
  return content?.toString('utf8').trim() ?? null
}

/** The same, or null without them. */
export const findVenueKeys = (settings: Parameters<typeof readVenueKeys>[0]): Promise<Keys | null> =>
  readVenueKeys(settings).catch((error: unknown) => {
    if (error instanceof BackupError) return null
    throw error
  })

/** A file of the environment, as `keys.env` in deploy/; it must not exist. */
export async function writeKeyFile(path: string, keys: Keys): Promise<void> {
  const text = `# venue key ${keyIdOf(keys)}\nVENUE_KEY=${keys}\n`
  await writeFile(path, text, { mode: 0o600, flag: 'wx', flush: true }).catch(async (error: unknown) => {
    const code = errorCodeOf(error) ?? 'unknown'
    if (code === 'EEXIST') throw new BackupError(`${path} exists: name another file for the keys`)
    // It may be there with a part of them.
    await rm(path, { force: true })
    throw new BackupError(`${path} cannot be written (${code})`)
  })
}

/** Reads such a file; other lines are ignored. */
export async function readKeyFile(path: string): Promise<Keys> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) throw new BackupError(`${path} cannot be read`)
  const keys = /^VENUE_KEY=(.*)$/m.exec(text)?.[1]?.trim() ?? ''
  if (parseVenueKey(keys) === null)
    throw new BackupError(`${path} has no line VENUE_KEY= with the key of a venue`)
  return keys
}

/** @throws BackupError if a data folder has a key */
export async function assertNoVenueKeys(dataDir: string): Promise<void> {
  const path = join(dataDir, venueKeyFile)
  if (await stat(path).catch(() => null)) throw new BackupError(`${path} exists: restore without --keys`)
}

/** Writes the keys into a data folder, as a venue would have made them. */
export async function writeVenueKeys(dataDir: string, keys: Keys): Promise<void> {
  await writeFile(join(dataDir, venueKeyFile), `${keys}\n`, { mode: 0o600, flag: 'wx', flush: true })
}
