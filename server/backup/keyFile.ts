import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../config.ts'
import { exists } from './archive.ts'
import { BackupError } from './backupError.ts'

/** The two keys that encrypt, as text: 64 hexadecimal characters each. */
export type Keys = { UPLOAD_KEY: string; IDEMPOTENCY_KEY: string }
const files = { UPLOAD_KEY: 'upload.key', IDEMPOTENCY_KEY: 'idempotency.key' } as const
const names = ['UPLOAD_KEY', 'IDEMPOTENCY_KEY'] as const

/**
 * The keys of a venue, from the environment or its data folder.
 * @throws BackupError if one of them is neither here nor there
 */
export async function readVenueKeys({ dataDir, uploadKey, idempotencyKey }: Settings): Promise<Keys> {
  const inFolder = async (name: keyof Keys): Promise<string> => {
    const path = join(dataDir, files[name])
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text === null) throw new BackupError(`${name} is not set, and there is no ${path}`)
    return text.trim()
  }
  return {
    UPLOAD_KEY: uploadKey ?? (await inFolder('UPLOAD_KEY')),
    IDEMPOTENCY_KEY: idempotencyKey ?? (await inFolder('IDEMPOTENCY_KEY')),
  }
}

/** A file of the environment, as `keys.env` in deploy/; it must not exist. */
export async function writeKeyFile(path: string, keys: Keys): Promise<void> {
  const text = names.map((name) => `${name}=${keys[name]}\n`).join('')
  await writeFile(path, text, { mode: 0o600, flag: 'wx', flush: true }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new BackupError(`${path} cannot be written (${code})`)
  })
}

/** Reads such a file; other lines are ignored. */
export async function readKeyFile(path: string): Promise<Keys> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) throw new BackupError(`${path} cannot be read`)
  const valueOf = (name: keyof Keys): string => {
    const value = new RegExp(`^${name}=([0-9a-fA-F]{64})$`, 'm').exec(text)?.[1]
    if (value === undefined)
      throw new BackupError(`${path} has no line ${name}= with 64 hexadecimal characters`)
    return value
  }
  return { UPLOAD_KEY: valueOf('UPLOAD_KEY'), IDEMPOTENCY_KEY: valueOf('IDEMPOTENCY_KEY') }
}

/** @throws BackupError if a data folder has one of the keys */
export async function assertNoVenueKeys(dataDir: string): Promise<void> {
  for (const name of names) {
    const path = join(dataDir, files[name])
    if (await exists(path)) throw new BackupError(`${path} exists: restore without --keys`)
  }
}

/** Writes the keys into a data folder, as a venue would have made them. */
export async function writeVenueKeys(dataDir: string, keys: Keys): Promise<void> {
  for (const name of names)
    await writeFile(join(dataDir, files[name]), `${keys[name]}\n`, { mode: 0o600, flag: 'wx', flush: true })
}
