import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../config.ts'
import { venueKeyFile } from '../secrets.ts'
import { noVenueKeys, parseVenueKey } from '../venueKey.ts'
import type { VenueKeys } from '../venueKey.ts'
import { exists } from './archive.ts'
import { BackupError } from './backupError.ts'

/** A venue's keys as text, as in `VENUE_KEY`. */
export type Keys = string

const formerFiles = { uploadKey: 'upload.key', idempotencyKey: 'idempotency.key' } as const
type EncryptingKey = keyof typeof formerFiles
const formerNames = { uploadKey: 'UPLOAD_KEY', idempotencyKey: 'IDEMPOTENCY_KEY' } as const

/** Of a venue of an earlier build, the two keys that encrypt; the log's is not needed to restore it. */
const joined = (keys: Record<EncryptingKey, string>): Keys => `${keys.uploadKey}:${keys.idempotencyKey}:`

/** The two keys that encrypt. */
export function encryptingKeys(keys: Keys): Record<EncryptingKey, Buffer> {
  const { uploadKey, idempotencyKey } = parseVenueKey(keys) ?? noVenueKeys
  return {
    uploadKey: Buffer.from(uploadKey ?? '', 'hex'),
    idempotencyKey: Buffer.from(idempotencyKey ?? '', 'hex'),
  }
}

/**
 * The keys of a venue, from the environment or its data folder.
 * @throws BackupError if one of those that encrypt is neither here nor there
 */
export async function readVenueKeys(
  settings: Pick<Settings, 'dataDir' | 'venueKey' | keyof VenueKeys>,
): Promise<Keys> {
  const { dataDir } = settings
  const read = (file: string): Promise<string | null> =>
    readFile(join(dataDir, file), 'utf8').then(
      (text) => text.trim(),
      () => null,
    )
  const given = settings.venueKey ?? (await read(venueKeyFile))
  const keys = parseVenueKey(given ?? '') ?? noVenueKeys
  if (given !== null && keys.isOneKey) return given
  const encrypting = async (name: EncryptingKey): Promise<string> => {
    const text = keys[name] ?? (await read(formerFiles[name]))
    if (text !== null) return text
    throw new BackupError(`VENUE_KEY is not set, and there is no ${join(dataDir, venueKeyFile)}`)
  }
  return joined({
    uploadKey: await encrypting('uploadKey'),
    idempotencyKey: await encrypting('idempotencyKey'),
  })
}

/** A file of the environment, as `keys.env` in deploy/; it must not exist. */
export async function writeKeyFile(path: string, keys: Keys): Promise<void> {
  const text = `VENUE_KEY=${keys}\n`
  await writeFile(path, text, { mode: 0o600, flag: 'wx', flush: true }).catch(async (error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (code === 'EEXIST') throw new BackupError(`${path} exists: name another file for the keys`)
    // It may be there with a part of them.
    await rm(path, { force: true })
    throw new BackupError(`${path} cannot be written (${code})`)
  })
}

/** Reads such a file, or one of an earlier build, with `UPLOAD_KEY` and `IDEMPOTENCY_KEY`; other lines are ignored. */
export async function readKeyFile(path: string): Promise<Keys> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) throw new BackupError(`${path} cannot be read`)
  const valueOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1]?.trim() ?? ''
  const former = joined({
    uploadKey: valueOf(formerNames.uploadKey),
    idempotencyKey: valueOf(formerNames.idempotencyKey),
  })
  const keys = valueOf('VENUE_KEY') || former
  const { uploadKey, idempotencyKey } = parseVenueKey(keys) ?? noVenueKeys
  if (uploadKey === null || idempotencyKey === null)
    throw new BackupError(`${path} has no line VENUE_KEY= with the keys of a venue`)
  return keys
}

/** @throws BackupError if a data folder has one of the keys */
export async function assertNoVenueKeys(dataDir: string): Promise<void> {
  for (const file of [venueKeyFile, ...Object.values(formerFiles)]) {
    const path = join(dataDir, file)
    if (await exists(path)) throw new BackupError(`${path} exists: restore without --keys`)
  }
}

/** Writes the keys into a data folder, as a venue would have made them. */
export async function writeVenueKeys(dataDir: string, keys: Keys): Promise<void> {
  await writeFile(join(dataDir, venueKeyFile), `${keys}\n`, { mode: 0o600, flag: 'wx', flush: true })
}
