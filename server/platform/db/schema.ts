import {
  bigint,
  boolean,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import type { Language } from '../../../contract/constants.ts'
import type { User } from '../../../contract/member.ts'
import type { WithdrawalRestCause } from '../../../contract/withdrawals.ts'
import { bytea } from './bytea.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

/** The venue's own state: one JSON value per key. */
export const setting = pgTable('setting', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

/** What the operator has set and the database checks with: JSON by key, from `sinceAt` on, until a newer row. */
export const operatorSetting = pgTable(
  'operator_setting',
  {
    key: text().notNull(),
    sinceAt: bigint('since_at', { mode: 'number' }).notNull(),
    value: jsonb().notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.sinceAt] })],
)

/** What this database has of the schema; written by `migrate` only. */
export const schemaVersion = pgTable('schema_version', {
  number: integer().primaryKey(),
  name: text().notNull(),
  sha256: text().notNull(),
  appliedAt: timestamp('applied_at', { withTimezone: true }).notNull().defaultNow(),
})

/** The current leader: one row (see `db/lease.ts`). */
export const lease = pgTable('lease', {
  single: boolean().primaryKey().default(true),
  term: bigint({ mode: 'number' }).notNull(),
  holder: jsonb().notNull(),
  address: text().notNull(),
})

/** The first answer to a request that moves money, stored for replays. */
export const idempotency = pgTable(
  'idempotency',
  {
    memberId: text('member_id').notNull(),
    method: text().notNull(),
    path: text().notNull(),
    key: text().notNull(),
    /** HMAC of the canonical body, with a secret outside the database. */
    fingerprint: text().notNull(),
    status: smallint().notNull(),
    /** JSON text as it was sent, encrypted except for an order's. */
    body: text().notNull(),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.method, table.path, table.key] })],
)

/**
 * A member. The phone is stored as a keyed hash (to find duplicates), masked (for the screen) and encrypted (for the
 * office). The contact address is only encrypted, because no member is looked up by it. A closed account has neither,
 * and no passwords.
 */
export const member = pgTable(
  'member',
  {
    id: text().primaryKey(),
    account: text().notNull(),
    phoneHash: text('phone_hash').unique('member_phone_unique'),
    phoneMasked: text('phone_masked'),
    phoneSealed: bytea('phone_sealed'),
    passwordHash: text('password_hash'),
    transactionPasswordHash: text('transaction_password_hash'),
    nickname: text().notNull(),
    contactEmailSealed: bytea('contact_email_sealed'),
    level: integer().notNull().default(1),
    creditScore: integer('credit_score').notNull().default(100),
    verification: text().$type<User['verification']>().notNull().default('none'),
    withdrawalAccountBound: boolean('withdrawal_account_bound').notNull().default(false),
    /** Withdrawals are refused until then; null if they never rested. */
    withdrawalsRestUntil: bigint('withdrawals_rest_until', { mode: 'number' }),
    withdrawalsRestCause: text('withdrawals_rest_cause').$type<WithdrawalRestCause>(),
    openingCode: text('opening_code').notNull().unique('member_opening_code_unique'),
    /** The code that opened this account: the setting's, or another member's own. */
    openedWith: text('opened_with').notNull(),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
    /** How often all devices have become unknown. */
    deviceEpoch: integer('device_epoch').notNull().default(0),
    closedAt: bigint('closed_at', { mode: 'number' }),
    /** In which the member last used the app; null before that. */
    language: text().$type<Language>(),
  },
  (table) => [uniqueIndex('member_account_unique').on(sql`lower(${table.account})`)],
)
export type MemberRow = typeof member.$inferSelect

/** A device that is logged in. The cookie's id and the token are stored as hashes only. */
export const session = pgTable('session', {
  id: text().primaryKey(),
  memberId: text('member_id')
    .notNull()
    .references(() => member.id),
  sidHash: text('sid_hash').notNull().unique(),
  csrfHash: text('csrf_hash').notNull(),
  device: text().notNull(),
  ip: text().notNull(),
  createdAt: bigint('created_at', { mode: 'number' }).notNull(),
  lastSeenAt: bigint('last_seen_at', { mode: 'number' }).notNull(),
})
export type SessionRow = typeof session.$inferSelect

/** Closed accounts whose verifications and payouts are erased. */
export const erasedMember = pgTable('erased_member', {
  memberId: text('member_id').primaryKey(),
  at: int8('at').notNull(),
})

export type SealedKind = 'name' | 'namePart' | 'idNumber' | 'payee'

/** A keyed hash of a sealed field, by which the office finds its member. */
export const sealedIndex = pgTable(
  'sealed_index',
  {
    kind: text().$type<SealedKind>().notNull(),
    hash: text().notNull(),
    memberId: text('member_id').notNull(),
    rowId: text('row_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.hash, table.rowId] })],
)
