import { createHmac } from 'node:crypto'
import { and, count, eq, isNull } from 'drizzle-orm'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { FactorTables } from '../schema.ts'
import { deriveKey } from '../../platform/keyDerivation.ts'
import type { Clock, Random } from '../../platform/ports.ts'

const codeCount = 10
/** Crockford's Base32: no letter that looks like a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 50 bits: no number of tries guesses one, so they are not counted. */
const codeLength = 10

/** Codes that replace the authenticator app once each, for who lost it. Stored as keyed hashes. */
export type RecoveryCodes = {
  /** Ten new codes, which replace all others. This is the only time they can be read. */
  replace(tx: DbTransaction, ownerId: string): Promise<string[]>
  /** Whether the code is one that is not used yet; it is used by this. */
  use(tx: DbTransaction, ownerId: string, code: string): Promise<boolean>
  /** How many are not used yet. */
  left(on: Db | DbTransaction, ownerId: string): Promise<number>
  remove(tx: DbTransaction, ownerId: string): Promise<void>
}

export type RecoveryCodesParts = {
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'bytes'>
  tables: Pick<FactorTables, 'kind' | 'recoveryCode'>
  /** The codes are hashed with it; it is stored outside the database. */
  hashKey: Uint8Array
}

export function createRecoveryCodes({ clock, random, tables, hashKey }: RecoveryCodesParts): RecoveryCodes {
  const { recoveryCode } = tables
  const key = deriveKey(hashKey, `${tables.kind} recovery codes`)
  const hash = (ownerId: string, code: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([ownerId, readable(code)]))
      .digest('base64url')
  const remove = async (tx: DbTransaction, ownerId: string): Promise<void> => {
    await tx.delete(recoveryCode).where(eq(recoveryCode.ownerId, ownerId))
  }
  const ofUnused = (ownerId: string) => and(eq(recoveryCode.ownerId, ownerId), isNull(recoveryCode.usedAt))
  return {
    replace: async (tx, ownerId) => {
      const codes = Array.from({ length: codeCount }, () => newCode(random))
      await remove(tx, ownerId)
      await tx.insert(recoveryCode).values(codes.map((code) => ({ ownerId, codeHash: hash(ownerId, code) })))
      return codes
    },
    use: async (tx, ownerId, code) => {
      // Of two uses of one code at once, the second one waits here and then finds it used.
      const used = await tx
        .update(recoveryCode)
        .set({ usedAt: clock.now() })
        .where(and(ofUnused(ownerId), eq(recoveryCode.codeHash, hash(ownerId, code))))
        .returning({ ownerId: recoveryCode.ownerId })
      return used.length > 0
    },
    left: async (on, ownerId) => {
      const [row] = await on.select({ left: count() }).from(recoveryCode).where(ofUnused(ownerId))
      return row?.left ?? 0
    },
    remove,
  }
}

function newCode(random: Pick<Random, 'bytes'>): string {
  // 256 is a multiple of 32, so every letter is equally likely.
  const letters = Array.from(random.bytes(codeLength), (byte) => alphabet[byte % alphabet.length]).join('')
  return `${letters.slice(0, codeLength / 2)}-${letters.slice(codeLength / 2)}`
}

/** A code as it was typed, in one spelling. */
const readable = (code: string): string =>
  code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
