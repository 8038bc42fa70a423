import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingsError } from './config.ts'

/** Keys of this installation that lie beside its database, never in it. */
export type Secrets = {
  /** Opens the desk and the metrics. */
  deskKey: string
  /** Keys the fingerprints of bodies that came with an `Idempotency-Key`. */
  idempotencyKey: Uint8Array
  /** Encrypts pictures, papers and account details of members. */
  uploadKey: Uint8Array
}

/** Reads the keys of a data folder and makes those that are missing, readable by their owner only. */
export async function openSecrets(
  dataDir: string,
  given: { deskKey: string | null; uploadKey: string | null; idempotencyKey: string | null },
): Promise<Secrets> {
  return {
    deskKey: given.deskKey ?? (await keyFile(join(dataDir, 'desk.key'))),
    idempotencyKey: Buffer.from(
      given.idempotencyKey ?? (await keyFile(join(dataDir, 'idempotency.key'))),
      'hex',
    ),
    uploadKey: Buffer.from(given.uploadKey ?? (await keyFile(join(dataDir, 'upload.key'))), 'hex'),
  }
}

async function keyFile(path: string): Promise<string> {
  try {
    await writeFile(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const text = (await readFile(path, 'utf8')).trim()
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new SettingsError(`${path} holds no key: remove it and a new one is made`)
  return text
}
