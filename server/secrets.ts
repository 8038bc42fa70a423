import { createHmac, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { SettingsError } from './config.ts'
import type { Db, DbTransaction } from './db/database.ts'
import type { Fence } from './db/fence.ts'
import { member, setting } from './db/schema/index.ts'
import { readSetting } from './db/settingValue.ts'
import { noVenueKeys, parseVenueKey, venueKeyRule } from './venueKey.ts'
import type { VenueKeys } from './venueKey.ts'

/** Keys of this installation that are stored outside its database. */
export type Secrets = {
  /** Gives access to the back office and the metrics. */
  backOfficeKey: string
  /** HMAC key for the fingerprints of request bodies with an `Idempotency-Key`. */
  idempotencyKey: Uint8Array
  /** Encrypts photos, documents and account details of members. */
  uploadKey: Uint8Array
  /** The seed of the Ed25519 key that signs the public log. */
  logKey: Uint8Array
}

/** Keys from the environment, as text; null if the key is in a file of the data folder. */
export type EnvironmentKeys = VenueKeys & { backOfficeKey: string | null }

/** The keys that rows are encrypted or hashed with, and that which signs the public log. Their check values in the database detect a wrong key. */
const databaseKeys = {
  uploadKey: { called: 'the upload key', file: 'upload.key' },
  idempotencyKey: { called: 'the idempotency key', file: 'idempotency.key' },
  logKey: { called: 'the log key', file: 'log.key' },
} as const
type DatabaseKeyName = keyof typeof databaseKeys
const databaseKeyNames = Object.keys(databaseKeys) as DatabaseKeyName[]
/** The file with all of them; a folder of an earlier build has one file for each. */
export const venueKeyFile = 'venue.key'
const venueKeyVariable = 'VENUE_KEY'

const checksSettingKey = 'key_checks'
/** The setting with the public log's name. */
export const logOriginSettingKey = 'log_origin'
type Checks = Partial<Record<DatabaseKeyName, string>>
/** What the database knows about the keys: the check value of each, and whether rows were encrypted without one. */
type KeyState = { checks: Checks; isInUse: boolean }

/** `fence` is null at a node that does not lead: the check values are the leader's to store. */
type KeyLocation = { dataDir: string; db: Db; fence: Fence | null }
/** What is known of the keys before their own files are read, and the variable or file that it is from. */
type GivenKeys = VenueKeys & { source: string }

/**
 * Reads the keys of a data folder and creates those that are missing, readable by their owner only. The upload key, the
 * idempotency key and the log's belong to their database: it stores a check value of each from the first start on. The back
 * office key can be changed: `deskKeyCheck.ts` compares it.
 * @throws SettingsError for a key that is not the database's, or is missing although the database was used with one;
 *   the message names the file or variable
 */
export async function openSecrets(location: KeyLocation, fromEnvironment: EnvironmentKeys): Promise<Secrets> {
  const state = await readKeyState(location.db)
  const given = await readGivenKeys(location, fromEnvironment, state)
  const uploadKey = await openDatabaseKey(location, 'uploadKey', given, state)
  const idempotencyKey = await openDatabaseKey(location, 'idempotencyKey', given, state)
  const { logKey, checks } = await openLogKey(location, given, state)
  await storeChecks(location, checks, {
    uploadKey: computeCheck(uploadKey),
    idempotencyKey: computeCheck(idempotencyKey),
    logKey: computeCheck(logKey),
  })
  return {
    backOfficeKey:
      fromEnvironment.backOfficeKey ?? (await readOrCreateKey(join(location.dataDir, 'desk.key'))),
    idempotencyKey,
    uploadKey,
    logKey,
  }
}

/** The keys of the environment, or of `venue.key`, which is made unless this folder or database has keys already. */
async function readGivenKeys(
  { dataDir }: KeyLocation,
  fromEnvironment: VenueKeys,
  { checks, isInUse }: KeyState,
): Promise<GivenKeys> {
  if (databaseKeyNames.some((name) => fromEnvironment[name] !== null))
    return { ...fromEnvironment, source: venueKeyVariable }
  const path = join(dataDir, venueKeyFile)
  const stored = await readKeyText(path, (text) => parseVenueKey(text) !== null, venueKeyRule)
  const files = databaseKeyNames.map((name) => join(dataDir, databaseKeys[name].file))
  if (stored === null && files.some((file) => existsSync(file))) return { ...noVenueKeys, source: path }
  if (stored === null && (checks.uploadKey !== undefined || isInUse)) {
    throw new SettingsError(
      `${path} is missing, and this database was used with one, or with upload.key, idempotency.key and log.key: ` +
        `restore what was there, or set ${venueKeyVariable}`,
    )
  }
  return { ...(parseVenueKey(stored ?? (await readOrCreateKey(path))) ?? noVenueKeys), source: path }
}

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
    .map((name) => databaseKeys[name].called)
}

/** A value that identifies a key and reveals nothing else about it. */
const computeCheck = (key: Uint8Array): string =>
  createHmac('sha256', key).update('uptick key check 1').digest('hex')

async function readKeyState(db: Db): Promise<KeyState> {
  const checks = await readSetting(db, checksSettingKey)
  const members = await db.select({ id: member.id }).from(member).limit(1)
  return { checks: checks ?? {}, isInUse: members.length > 0 }
}

async function openDatabaseKey(
  { dataDir }: KeyLocation,
  name: DatabaseKeyName,
  given: GivenKeys,
  { checks, isInUse }: KeyState,
): Promise<Buffer> {
  const { called, file } = databaseKeys[name]
  const path = join(dataDir, file)
  const text = given[name] ?? (await readKey(path))
  const check = checks[name]
  if (text === null && (check !== undefined || isInUse)) {
    throw new SettingsError(
      `${path} is missing, and this database was used with one: restore that file, or set ${venueKeyVariable}`,
    )
  }
  const key = Buffer.from(text ?? (await readOrCreateKey(path)), 'hex')
  if (check === undefined || check === computeCheck(key)) return key
  const whole = given.isOneKey ? given.source : `${called} in ${given.source}`
  const source = given[name] === null ? path : whole
  throw new SettingsError(`${source} is not the key that this database was used with: restore that key`)
}

/** The public log of this database gets another name at the next start, and may get another key. */
export async function forgetLogKey(db: Db | DbTransaction): Promise<void> {
  await db.delete(setting).where(eq(setting.key, logOriginSettingKey))
  const value = sql`${setting.value} - 'logKey'`
  await db.update(setting).set({ value }).where(eq(setting.key, checksSettingKey))
}

/**
 * The key of the public log encrypts nothing, so a database of a build without the log gets one, and a key in the data
 * folder may be another than before: if the file was lost, or this is another folder. The log then goes on under another
 * name, which everybody sees. A key of VENUE_KEY or `venue.key` is compared like the others.
 */
async function openLogKey(
  location: KeyLocation,
  given: GivenKeys,
  { checks }: KeyState,
): Promise<{ logKey: Buffer; checks: Checks }> {
  const { db, fence, dataDir } = location
  if (given.logKey !== null || fence === null) {
    const logKey = await openDatabaseKey(location, 'logKey', given, { checks, isInUse: false })
    return { logKey, checks }
  }
  const logKey = Buffer.from(await readOrCreateKey(join(dataDir, databaseKeys.logKey.file)), 'hex')
  if (checks.logKey === undefined || checks.logKey === computeCheck(logKey)) return { logKey, checks }
  const { logKey: _replaced, ...others } = checks
  await fence.transaction(db, forgetLogKey)
  return { logKey, checks: others }
}

/**
 * Written once: for a database of an earlier build at its first start with this build. Of several first starts at once,
 * the keys of the first one are the database's.
 */
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

const readKey = (path: string): Promise<string | null> =>
  readKeyText(path, (text) => /^[0-9a-f]{64}$/.test(text), 'must be 64 hexadecimal characters')

async function readKeyText(
  path: string,
  isKey: (text: string) => boolean,
  rule: string,
): Promise<string | null> {
  let text: string
  try {
    text = (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    throw error
  }
  if (!isKey(text)) throw new SettingsError(`${path} does not contain a key: it ${rule}`)
  return text
}

const hasErrorCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
