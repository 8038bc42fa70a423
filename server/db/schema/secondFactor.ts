import { bigint, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytea } from './bytea.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

/** The tables of the second factors of one kind of owner. */
export function factorTables<const Kind extends string>(kind: Kind) {
  return {
    kind,
    /** The public key of a passkey, and how often its authenticator has signed (0 for ever if it does not count). */
    passkey: pgTable(`${kind}_passkey`, {
      id: text().primaryKey(),
      ownerId: text('owner_id').notNull(),
      credentialId: text('credential_id').notNull().unique(`${kind}_passkey_credential`),
      publicKey: bytea('public_key').notNull(),
      counter: int8('counter').notNull(),
      transports: jsonb().$type<string[]>().notNull(),
      name: text().notNull(),
      createdAt: int8('created_at').notNull(),
      lastUsedAt: int8('last_used_at'),
    }),
    /** The secret that an authenticator app shares, encrypted. Codes up to `lastStep` are not valid any more. */
    totp: pgTable(`${kind}_totp`, {
      ownerId: text('owner_id').primaryKey(),
      secretSealed: bytea('secret_sealed').notNull(),
      lastStep: int8('last_step').notNull(),
      createdAt: int8('created_at').notNull(),
    }),
    /** Recovery codes as keyed hashes. */
    recoveryCode: pgTable(
      `${kind}_recovery_code`,
      {
        ownerId: text('owner_id').notNull(),
        codeHash: text('code_hash').notNull(),
        usedAt: int8('used_at'),
      },
      (table) => [primaryKey({ columns: [table.ownerId, table.codeHash] })],
    ),
    /** Wrong codes since the last correct one. */
    codeFailure: pgTable(`${kind}_code_failure`, {
      ownerId: text('owner_id').primaryKey(),
      failures: integer().notNull(),
      at: int8('at').notNull(),
    }),
  }
}
export type FactorTables = ReturnType<typeof factorTables<string>>
export type PasskeyRow = FactorTables['passkey']['$inferSelect']

export const memberFactors = factorTables('member')
/** Listed one by one, because the schema is a list of tables. */
export const {
  passkey: memberPasskey,
  totp: memberTotp,
  recoveryCode: memberRecoveryCode,
  codeFailure: memberCodeFailure,
} = memberFactors

/** A ticket that was used and cannot be used again. */
export const usedTicket = pgTable('used_ticket', {
  id: text().primaryKey(),
  expiresAt: int8('expires_at').notNull(),
})
