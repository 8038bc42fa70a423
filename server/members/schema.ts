import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { PasswordProof } from '../../contract/auth.ts'
import type { LoginEvent } from '../../contract/logins.ts'
import type { ReviewStatus } from '../../contract/reviews.ts'
import { bytea } from '../platform/db/bytea.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

/** Failed logins by a keyed hash of what failed. `previousAt` is what `at` was before the last count. */
export const loginFailure = pgTable('login_failure', {
  key: text().primaryKey(),
  failures: integer().notNull(),
  at: int8('at').notNull(),
  previousAt: int8('previous_at').notNull(),
})

/** A captcha that was answered, rightly or wrongly, and cannot be answered again. */
export const usedCaptcha = pgTable('used_captcha', {
  id: text().primaryKey(),
  expiresAt: int8('expires_at').notNull(),
})

/** A login, or a try with a wrong password, of an account that exists. */
export const loginEvent = pgTable('login_event', {
  id: text().primaryKey(),
  memberId: text('member_id').notNull(),
  at: int8('at').notNull(),
  device: text().notNull(),
  network: text().$type<LoginEvent['network']>().notNull(),
  method: text().$type<LoginEvent['method']>().notNull(),
  result: text().$type<LoginEvent['result']>().notNull(),
  known: boolean().notNull(),
  deniedAt: int8('denied_at'),
})
export type LoginEventRow = typeof loginEvent.$inferSelect

/** A code issued by the office. It opens `uses` accounts, any number if null, and none once it is revoked. */
export const openingCode = pgTable('opening_code', {
  code: text().primaryKey(),
  no: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  issuedAt: bigint('issued_at', { mode: 'number' }).notNull(),
  issuedBy: text('issued_by').notNull(),
  uses: integer(),
  revokedAt: bigint('revoked_at', { mode: 'number' }),
  revokedBy: text('revoked_by'),
})
export type OpeningCodeRow = typeof openingCode.$inferSelect

export type PasswordKind = 'login' | 'transaction'

/** A member's request for a new password. The hash is deleted when the request is decided. */
export const passwordRequest = pgTable('password_request', {
  id: text().primaryKey(),
  memberId: text('member_id').notNull(),
  /** The session of the request: the only one that stays when the new password takes effect; null for a recovery. */
  sessionId: text('session_id'),
  /** Whether the old password was forgotten. */
  recovery: boolean().notNull().default(false),
  /** What showed that it is the member; null for a recovery. */
  provenBy: text('proven_by').$type<PasswordProof>(),
  kind: text().$type<PasswordKind>().notNull(),
  newHash: text('new_hash'),
  status: text().$type<ReviewStatus>().notNull(),
  reason: text(),
  createdAt: int8('created_at').notNull(),
  decidedAt: int8('decided_at'),
  decidedBy: text('decided_by'),
  version: integer().notNull().default(1),
})
export type PasswordRequestRow = typeof passwordRequest.$inferSelect

/** Failed tries of a password by a logged-in member since the last correct one. */
export const passwordFailure = pgTable(
  'password_failure',
  {
    memberId: text('member_id').notNull(),
    kind: text().$type<PasswordKind>().notNull(),
    failures: integer().notNull(),
    at: int8('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.kind] })],
)

/** Requests by people who forgot a password, before a job compares them with the members. */
export const passwordRecoveryInbox = pgTable('password_recovery_inbox', {
  id: text().primaryKey(),
  kind: text().$type<PasswordKind>().notNull(),
  account: text().notNull(),
  phoneHash: text('phone_hash').notNull(),
  at: int8('at').notNull(),
})

/** The code of an approved recovery, as a hash. It works once. */
export const passwordRecoveryCode = pgTable('password_recovery_code', {
  requestId: text('request_id').primaryKey(),
  memberId: text('member_id').notNull(),
  kind: text().$type<PasswordKind>().notNull(),
  codeHash: text('code_hash').notNull().unique(),
  expiresAt: int8('expires_at').notNull(),
  usedAt: int8('used_at'),
  firstCodeHash: text('first_code_hash'),
  firstCodeFailures: integer('first_code_failures').notNull().default(0),
})

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
    /** Wrong codes since the last correct one, by a keyed hash of where they came from; empty for all unknown devices. */
    codeFailure: pgTable(
      `${kind}_code_failure`,
      {
        ownerId: text('owner_id').notNull(),
        origin: text().notNull(),
        failures: integer().notNull(),
        at: int8('at').notNull(),
      },
      (table) => [primaryKey({ columns: [table.ownerId, table.origin] })],
    ),
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

/** One submission for real-name verification; name and ID number are encrypted. A member's versions only increase. */
export const verification = pgTable('verification', {
  id: text().primaryKey(),
  memberId: text('member_id').notNull(),
  status: text().$type<'under_review' | 'verified' | 'rejected'>().notNull(),
  nationality: text().notNull(),
  personSealed: bytea('person_sealed').notNull(),
  frontUploadId: text('front_upload_id').notNull(),
  backUploadId: text('back_upload_id').notNull(),
  reason: text(),
  submittedAt: int8('submitted_at').notNull(),
  decidedAt: int8('decided_at'),
  decidedBy: text('decided_by'),
  version: integer().notNull(),
})
export type VerificationRow = typeof verification.$inferSelect

/** A message in a member's one thread with customer service, encrypted; `readAt` is when the other side read it. */
export const serviceMessage = pgTable('service_message', {
  id: text().primaryKey(),
  no: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  memberId: text('member_id').notNull(),
  sender: text().$type<'member' | 'desk'>().notNull(),
  bodySealed: bytea('body_sealed').notNull(),
  uploadId: text('upload_id'),
  at: int8('at').notNull(),
  readAt: int8('read_at'),
})

export type ServiceMessageRow = typeof serviceMessage.$inferSelect

/** What the staff noted about a member. */
export const memberNote = pgTable('member_note', {
  id: text().primaryKey(),
  no: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  memberId: text('member_id').notNull(),
  author: text().notNull(),
  bodySealed: bytea('body_sealed').notNull(),
  at: int8('at').notNull(),
})

/** The exclusion of a closed account, by the keyed hash of its phone: a new account with this phone has it too. */
export const keptExclusion = pgTable('kept_exclusion', {
  phoneHash: text('phone_hash').primaryKey(),
  value: int8('value'),
  nextValue: int8('next_value'),
  nextAt: int8('next_at'),
})
