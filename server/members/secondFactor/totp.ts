import { Secret, TOTP } from 'otpauth'
import { and, eq, lt } from 'drizzle-orm'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { FactorTables } from '../schema.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { createVault } from '../../platform/vault.ts'

/** What every authenticator app supports (RFC 6238). */
const algorithm = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Bytes of a secret: the length of the hash, as RFC 4226 recommends. */
const secretBytes = 20
/** How many steps an app's clock may be off. */
const window = 1

/** The secret that an authenticator app gets: as text in Base32, and in the URI of a QR code. */
export type TotpSetup = { secret: string; uri: string }

/** The authenticator apps of one kind of owner: codes of six digits by time. Secrets are stored encrypted. */
export type Totp = {
  newSetup(issuer: string, account: string): TotpSetup
  /** The time step of a code of a secret that is not stored yet; null if it is wrong. */
  stepOf(secret: string, code: string): number | null
  /** @param step of the code that proved that the app has the secret. Fails on a second one of the owner. */
  add(tx: DbTransaction, ownerId: string, secret: string, step: number): Promise<void>
  /** Whether a code is right and newer than the last one used; it is used by this. */
  use(tx: DbTransaction, ownerId: string, code: string): Promise<boolean>
  /** When the owner added an app; null without one. */
  addedAt(on: Db | DbTransaction, ownerId: string): Promise<number | null>
  /** False if the owner has none. */
  remove(tx: DbTransaction, ownerId: string): Promise<boolean>
}

export type TotpParts = {
  clock: Pick<Clock, 'now'>
  random: Random
  tables: Pick<FactorTables, 'kind' | 'totp'>
  /** Encrypts the secrets; it is stored outside the database. */
  encryptionKey: Uint8Array
}

export function createTotp({ clock, random, tables, encryptionKey }: TotpParts): Totp {
  const { totp } = tables
  const vault = createVault(encryptionKey, `${tables.kind} totp secrets`, random)
  const stepOf: Totp['stepOf'] = (secret, code) => {
    const timestamp = clock.now()
    const delta = TOTP.validate({
      ...algorithm,
      secret: Secret.fromBase32(secret),
      token: code,
      timestamp,
      window,
    })
    return delta === null ? null : TOTP.counter({ period: algorithm.period, timestamp }) + delta
  }
  return {
    newSetup: (issuer, account) => {
      const secret = new Secret({ buffer: Uint8Array.from(random.bytes(secretBytes)).buffer })
      const app = new TOTP({ ...algorithm, issuer, label: account, secret })
      return { secret: secret.base32, uri: app.toString() }
    },
    stepOf,
    add: async (tx, ownerId, secret, step) => {
      const secretSealed = vault.encrypt(secret, ownerId)
      await tx.insert(totp).values({ ownerId, secretSealed, lastStep: step, createdAt: clock.now() })
    },
    use: async (tx, ownerId, code) => {
      const [row] = await tx.select().from(totp).where(eq(totp.ownerId, ownerId))
      if (!row) return false
      const step = stepOf(vault.decrypt(row.secretSealed, ownerId).toString(), code)
      if (step === null) return false
      // Of two uses of one code at once, the second one waits here and then finds its step used.
      const used = await tx
        .update(totp)
        .set({ lastStep: step })
        .where(and(eq(totp.ownerId, ownerId), lt(totp.lastStep, step)))
        .returning({ ownerId: totp.ownerId })
      return used.length > 0
    },
    addedAt: async (on, ownerId) => {
      const [row] = await on.select().from(totp).where(eq(totp.ownerId, ownerId))
      return row?.createdAt ?? null
    },
    remove: async (tx, ownerId) => {
      const removed = await tx.delete(totp).where(eq(totp.ownerId, ownerId))
      return (removed.rowCount ?? 0) > 0
    },
  }
}
