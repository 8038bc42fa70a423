import { bigint, boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { ReviewStatus } from '../../../contract/reviews.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })
export type PasswordKind = 'login' | 'transaction'

/** A member's request for a new password. The hash is deleted when the request is decided. */
export const passwordRequest = pgTable('password_request', {
  id: text().primaryKey(),
  memberId: text('member_id').notNull(),
  /** The session of the request: the only one that stays when the new password takes effect; null for a recovery. */
  sessionId: text('session_id'),
  /** Whether the old password was forgotten. */
  recovery: boolean().notNull().default(false),
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
})
