import { bigint, boolean, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import type { User } from '../../../contract/member.ts'
import type { WithdrawalRestCause } from '../../../contract/withdrawals.ts'
import { bytea } from './bytea.ts'

/**
 * A member. The phone is stored as a keyed hash (to find duplicates), masked (for the screen) and encrypted (for the
 * back office). The contact address is only encrypted, because no member is looked up by it. A closed account has neither,
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
    closedAt: bigint('closed_at', { mode: 'number' }),
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
