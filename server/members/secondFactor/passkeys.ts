import { and, desc, eq } from 'drizzle-orm'
import type { DbTransaction } from '../../platform/db/database.ts'
import type { PasskeyRow } from '../schema.ts'
import { createPasskeyAssertion, type PasskeyAssertion } from './passkeyAssertion.ts'
import { createPasskeyRegistration, type PasskeyRegistration } from './passkeyRegistration.ts'
import type { PasskeysParts } from './passkeysParts.ts'

/**
 * The passkeys of one kind of owner (WebAuthn). Each is discoverable and verifies its user, so that it is a login of its
 * own. A challenge is valid for one purpose, once, for five minutes.
 */
export type Passkeys = {
  registration: PasskeyRegistration
  assertion: PasskeyAssertion
  /** Newest first. */
  list(ownerId: string): Promise<PasskeyRow[]>
  /** Null if the owner has no such passkey. */
  rename(ownerId: string, id: string, name: string): Promise<PasskeyRow | null>
  remove(tx: DbTransaction, ownerId: string, id: string): Promise<PasskeyRow | null>
}

export function createPasskeys(parts: PasskeysParts): Passkeys {
  const { db } = parts
  const { passkey } = parts.tables
  const own = (ownerId: string, id: string) => and(eq(passkey.id, id), eq(passkey.ownerId, ownerId))
  const list = (ownerId: string): Promise<PasskeyRow[]> =>
    db
      .select()
      .from(passkey)
      .where(eq(passkey.ownerId, ownerId))
      .orderBy(desc(passkey.createdAt), desc(passkey.id))
  return {
    registration: createPasskeyRegistration(parts, list),
    assertion: createPasskeyAssertion(parts, list),
    list,
    rename: async (ownerId, id, name) => {
      const [row] = await db.update(passkey).set({ name }).where(own(ownerId, id)).returning()
      return row ?? null
    },
    remove: async (tx, ownerId, id) => {
      const [row] = await tx.delete(passkey).where(own(ownerId, id)).returning()
      return row ?? null
    },
  }
}
