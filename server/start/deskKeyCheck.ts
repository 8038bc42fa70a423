import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { SettingsError } from '../platform/settingsError.ts'
import type { Db } from '../platform/db/database.ts'
import { pgCode } from '../platform/db/errors.ts'
import type { Fence } from '../platform/db/fence.ts'
import { readSetting, writeSetting } from '../platform/db/settingValue.ts'

const settingKey = 'desk_key_check'
/**
 * The usual cost of scrypt. An operator may choose a key that can be guessed, so that each guess from a copy of the
 * database must be slow. It takes more than 50 ms of a core: a start does other work meanwhile.
 */
const cost = { N: 2 ** 14, r: 8, p: 1 }
/** Nobody guesses 256 random bits. */
const costOfGenerated: typeof cost = { ...cost, N: 2 }
const checkBytes = 32

/** As stored, in hexadecimal digits; with its cost, so that it can be raised. */
type StoredCheck = { salt: string; check: string; cost: typeof cost }

/** The key, and the variable or file that it is from. */
export type DeskKey = { key: string; source: string; isGenerated?: boolean }

const undefinedTableCode = '42P01'

/**
 * Fails if nodes with another desk key have used this database.
 * @returns whether there was a check value; if not, the leader stores one
 * @throws SettingsError with one line
 */
export async function checkDeskKey(db: Db, { key, source }: DeskKey): Promise<boolean> {
  const isSame = await isSameDeskKey(db, key)
  if (isSame !== false) return isSame === true
  throw new SettingsError(
    `${source} is not the key that this database was used with: use that key on every node, ` +
      'or start with --new-desk-key to change it',
  )
}

/** Whether this is the key that this database was used with; null if there is no check value. */
export async function isSameDeskKey(db: Db, key: string): Promise<boolean | null> {
  const stored = await readCheck(db)
  if (stored === null) return null
  const check = await derive(key, Buffer.from(stored.salt, 'hex'), stored.cost)
  return timingSafeEqual(check, Buffer.from(stored.check, 'hex'))
}

/** Stores the check value if there is none, or replaces it. The nodes that start from now on need this key. */
export async function storeDeskKeyCheck(
  { db, fence }: { db: Db; fence: Fence },
  { key, isGenerated = false }: DeskKey,
  isChange: boolean,
): Promise<void> {
  if (!isChange && (await readCheck(db)) !== null) return
  const salt = randomBytes(16)
  const ownCost = isGenerated ? costOfGenerated : cost
  const check = await derive(key, salt, ownCost)
  const value: StoredCheck = { salt: salt.toString('hex'), check: check.toString('hex'), cost: ownCost }
  await fence.transaction(db, (tx) => writeSetting(tx, settingKey, value))
}

/** Null if there is none, also before the tables exist. */
async function readCheck(db: Db): Promise<StoredCheck | null> {
  try {
    return ((await readSetting(db, settingKey)) as StoredCheck | undefined) ?? null
  } catch (error) {
    if (pgCode(error) !== undefinedTableCode) throw error
    return null
  }
}

function derive(key: string, salt: Uint8Array, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(key, salt, checkBytes, { ...options, maxmem: 2 ** 28 }, (error, derived) => {
      if (error === null) resolve(derived)
      else reject(error)
    })
  })
}
