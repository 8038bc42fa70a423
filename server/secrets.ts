import { createHmac, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { SettingsError } from './config.ts'
import type { Db } from './db/database.ts'
import type { Fence } from './db/fence.ts'
import { member, setting } from './db/schema/index.ts'

/** Keys of this installation that lie beside its database, never in it. */
export type Secrets = {
  /** Opens the desk and the metrics. */
  backOfficeKey: string
  /** Keys the fingerprints of bodies that came with an `Idempotency-Key`. */
  idempotencyKey: Uint8Array
  /** Encrypts pictures, papers and account details of members. */
  uploadKey: Uint8Array
}

/** Keys that the environment gives, each as text; null where a file of the data folder holds it. */
export type EnvironmentKeys = {
  backOfficeKey: string | null
  uploadKey: string | null
  idempotencyKey: string | null
}

/** The keys that rows are sealed or hashed with. Their check values in the database tell them from any other keys. */
const databaseKeys = {
  uploadKey: { variable: 'UPLOAD_KEY', file: 'upload.key' },
  idempotencyKey: { variable: 'IDEMPOTENCY_KEY', file: 'idempotency.key' },
} as const
type DatabaseKeyName = keyof typeof databaseKeys

const checksSettingKey = 'key_checks'
/** What the database knows of the keys: the check value of each, and whether rows were sealed without one. */
type KeyState = { checks: Partial<Record<DatabaseKeyName, string>>; isInUse: boolean }

type KeyLocation = { dataDir: string; db: Db; fence: Fence }

/**
 * Reads the keys of a data folder and makes those that are missing, readable by their owner only. The two that seal
 * belong to their database: it keeps a check value of each from the first start on. The desk's key seals nothing, may
 * be changed at any start, and has none: a check value of a short one could be guessed from a copy of the database.
 * @throws SettingsError for a key that is not the database's, or is missing although the database was used with one;
 *   the line names the file or variable
 */
export async function openSecrets(location: KeyLocation, fromEnvironment: EnvironmentKeys): Promise<Secrets> {
  const state = await readKeyState(location.db)
  const uploadKey = await openDatabaseKey(location, 'uploadKey', fromEnvironment, state)
  const idempotencyKey = await openDatabaseKey(location, 'idempotencyKey', fromEnvironment, state)
  await storeChecks(location, state, {
    uploadKey: computeCheck(uploadKey),
    idempotencyKey: computeCheck(idempotencyKey),
  })
  return {
    backOfficeKey:
      fromEnvironment.backOfficeKey ?? (await readOrCreateKey(join(location.dataDir, 'desk.key'))),
    idempotencyKey,
    uploadKey,
  }
}

/** Tells a key from any other one and tells nothing else about it. */
const computeCheck = (key: Uint8Array): string =>
  createHmac('sha256', key).update('uptick key check 1').digest('hex')

async function readKeyState(db: Db): Promise<KeyState> {
  const [row] = await db.select().from(setting).where(eq(setting.key, checksSettingKey))
  const members = await db.select({ id: member.id }).from(member).limit(1)
  return { checks: row?.value ?? {}, isInUse: members.length > 0 }
}

async function openDatabaseKey(
  { dataDir }: KeyLocation,
  name: DatabaseKeyName,
  fromEnvironment: EnvironmentKeys,
  { checks, isInUse }: KeyState,
): Promise<Buffer> {
  const { variable, file } = databaseKeys[name]
  const path = join(dataDir, file)
  const text = fromEnvironment[name] ?? (await readKey(path))
  const check = checks[name]
  if (text === null && (check !== undefined || isInUse)) {
    throw new SettingsError(
      `${path} is missing, and this database was used with one: put that file back, or set ${variable}`,
    )
  }
  const key = Buffer.from(text ?? (await readOrCreateKey(path)), 'hex')
  if (check === undefined || check === computeCheck(key)) return key
  const source = fromEnvironment[name] === null ? path : variable
  throw new SettingsError(`${source} is not the key that this database was used with: put that one back`)
}

/** Written once for each key: also for a database of an earlier build, at its first start with this one. */
async function storeChecks(
  { db, fence }: KeyLocation,
  { checks }: KeyState,
  all: Required<KeyState['checks']>,
): Promise<void> {
  if (checks.uploadKey !== undefined && checks.idempotencyKey !== undefined) return
  await fence.transaction(db, (tx) =>
    tx
      .insert(setting)
      .values({ key: checksSettingKey, value: all })
      .onConflictDoUpdate({ target: setting.key, set: { value: all } }),
  )
}

/** The key in a file, made now where there is none. */
async function readOrCreateKey(path: string): Promise<string> {
  try {
    await writeFile(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  }
  return (await readKey(path)) ?? ''
}

async function readKey(path: string): Promise<string | null> {
  let text: string
  try {
    text = (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    throw error
  }
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new SettingsError(`${path} holds no key: it must be 64 hexadecimal characters`)
  return text
}

const hasErrorCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
