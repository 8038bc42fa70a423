import { createHmac, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { SettingsError } from './settingsError.ts'
import type { Db, DbTransaction } from './db/database.ts'
import type { Fence } from './db/fence.ts'
import { member, setting } from './db/schema.ts'
import { readSetting } from './db/settingValue.ts'
import { parseVenueKey, venueKeyRule, type VenueKeys } from './venueKey.ts'
import { hasErrorCode } from './errorCode.ts'
import { readIfThere } from './textFile.ts'

/** Keys of this installation that are stored outside its database. */
export type Secrets = {
  /** Gives access to the office and the metrics. */
  deskKey: string
  /** HMAC key for the fingerprints of request bodies with an `Idempotency-Key`. */
  idempotencyKey: Uint8Array
  /** Encrypts photos, documents and account details of members. */
  uploadKey: Uint8Array
  /** The seed of the Ed25519 key that signs the public log. */
  logKey: Uint8Array
}

/** Keys from the environment, as text; null if the key is in a file of the data folder. */
export type EnvironmentKeys = VenueKeys & { deskKey: string | null }

/**
 * The keys that rows are encrypted or hashed with, and that which signs the public log, as they are called. Their check values
 * in the database detect a wrong key.
 */
const databaseKeys = {
  uploadKey: 'the upload key',
  idempotencyKey: 'the idempotency key',
  logKey: 'the log key',
} as const
type DatabaseKeyName = keyof typeof databaseKeys
const databaseKeyNames = Object.keys(databaseKeys) as DatabaseKeyName[]
/** The file with the key that all of them are derived from. */
export const venueKeyFile = 'venue.key'
const venueKeyVariable = 'VENUE_KEY'

const checksSettingKey = 'key_checks'
/** The setting with the public log's name. */
export const logOriginSettingKey = 'log_origin'
type Checks = Partial<Record<DatabaseKeyName, string>>
/** What the database stores about the keys: the check value of each, and whether rows were encrypted without one. */
type KeyState = { checks: Checks; isInUse: boolean }

/** `fence` is null at a node that does not lead: the check values are the leader's to store. */
type KeyLocation = { dataDir: string; db: Db; fence: Fence | null }
type DatabaseKeys = Record<DatabaseKeyName, Buffer>

/**
 * Reads the keys of a data folder and creates those that are missing, readable by their owner only. The upload key, the
 * idempotency key and the log's belong to their database: it stores a check value of each from the first start on. The back
 * desk key can be changed: `deskKeyCheck.ts` compares it.
 * @throws SettingsError for a key that is not the database's, or is missing although the database was used with one;
 *   the message names the file or variable
 */
export async function openSecrets(location: KeyLocation, fromEnvironment: EnvironmentKeys): Promise<Secrets> {
  const state = await readKeyState(location.db)
  const { keys, source } = await readDatabaseKeys(location, fromEnvironment, state)
  const own = checksOf(keys)
  if (databaseKeyNames.some((name) => state.checks[name] !== undefined && state.checks[name] !== own[name]))
    throw new SettingsError(`${source} is not the key that this database was used with: restore that key`)
  await storeChecks(location, state.checks, own)
  return {
    deskKey: fromEnvironment.deskKey ?? (await readOrCreateKey(join(location.dataDir, 'desk.key'))),
    ...keys,
  }
}

/** The keys of the environment, or of `venue.key`, which is made unless this database was used with one. */
async function readDatabaseKeys(
  { dataDir }: KeyLocation,
  { uploadKey, idempotencyKey, logKey }: VenueKeys,
  { checks, isInUse }: KeyState,
): Promise<{ keys: DatabaseKeys; source: string }> {
  if (uploadKey !== null && idempotencyKey !== null && logKey !== null)
    return { keys: toBytes({ uploadKey, idempotencyKey, logKey }), source: venueKeyVariable }
  const path = join(dataDir, venueKeyFile)
  const stored = await readKey(path)
  if (stored === null && (checks.uploadKey !== undefined || isInUse)) {
    throw new SettingsError(
      `${path} is missing, and this database was used with one: restore that file, or set ${venueKeyVariable}`,
    )
  }
  const derived = parseVenueKey(stored ?? (await readOrCreateKey(path)))
  if (derived === null) throw new SettingsError(`${path} does not contain a key: it ${venueKeyRule}`)
  return { keys: toBytes(derived), source: path }
}

const toBytes = (keys: Record<DatabaseKeyName, string>): DatabaseKeys => ({
  uploadKey: Buffer.from(keys.uploadKey, 'hex'),
  idempotencyKey: Buffer.from(keys.idempotencyKey, 'hex'),
  logKey: Buffer.from(keys.logKey, 'hex'),
})

const checksOf = (keys: DatabaseKeys): Required<Checks> => ({
  uploadKey: computeCheck(keys.uploadKey),
  idempotencyKey: computeCheck(keys.idempotencyKey),
  logKey: computeCheck(keys.logKey),
})

/**
 * Says which of these keys are not those that this database was used with.
 * @returns what they are called
 */
export async function findWrongKeys(
  db: Db,
  keys: Readonly<Record<'uploadKey' | 'idempotencyKey', Uint8Array>>,
): Promise<string[]> {
  const { checks } = await readKeyState(db)
  const names = ['uploadKey', 'idempotencyKey'] as const
  return names
    .filter((name) => checks[name] !== undefined && checks[name] !== computeCheck(keys[name]))
    .map((name) => databaseKeys[name])
}

/** A value that identifies a key and reveals nothing else about it. */
const computeCheck = (key: Uint8Array): string =>
  createHmac('sha256', key).update('uptick key check 1').digest('hex')

async function readKeyState(db: Db): Promise<KeyState> {
  const checks = await readSetting(db, checksSettingKey)
  const members = await db.select({ id: member.id }).from(member).limit(1)
  return { checks: checks ?? {}, isInUse: members.length > 0 }
}

/** The public log of this database gets another name at the next start, and may get another key. */
export async function forgetLogKey(db: Db | DbTransaction): Promise<void> {
  await db.delete(setting).where(eq(setting.key, logOriginSettingKey))
  const value = sql`${setting.value} - 'logKey'`
  await db.update(setting).set({ value }).where(eq(setting.key, checksSettingKey))
}

/** Written once. Of several first starts at once, the keys of the first one are the database's. */
async function storeChecks({ db, fence }: KeyLocation, checks: Checks, own: Required<Checks>): Promise<void> {
  if (fence === null || databaseKeyNames.every((name) => checks[name] !== undefined)) return
  const value = sql`excluded.value || ${setting.value}`
  const [row] = await fence.transaction(db, (tx) =>
    tx
      .insert(setting)
      .values({ key: checksSettingKey, value: own })
      .onConflictDoUpdate({ target: setting.key, set: { value } })
      .returning(),
  )
  const stored = (row?.value ?? {}) as Checks
  for (const name of databaseKeyNames) {
    if (stored[name] === own[name]) continue
    throw new SettingsError(
      `another venue has just started on this database with other keys: copy its ${venueKeyFile}, ` +
        `or set ${venueKeyVariable} for both`,
    )
  }
}

/** The key in a file, which is created if it does not exist. */
async function readOrCreateKey(path: string): Promise<string> {
  try {
    await writeFile(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  }
  return (await readKey(path)) ?? ''
}

/** Null if there is no file. */
async function readKey(path: string): Promise<string | null> {
  const text = (await readIfThere(path))?.toString('utf8').trim()
  if (text === undefined) return null
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new SettingsError(`${path} does not contain a key: it ${venueKeyRule}`)
  return text
}
