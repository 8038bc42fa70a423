import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { ReviewStatus } from '../../../contract/reviews.ts'
import { bytea } from './bytea.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

/** The account that a member's withdrawals go to. The details are encrypted; a row is bound once and unbound once. */
export const withdrawalAccount = pgTable('withdrawal_account', {
  id: text().primaryKey(),
  memberId: text('member_id').notNull(),
  type: text().$type<'bank' | 'crypto'>().notNull(),
  detailsSealed: bytea('details_sealed').notNull(),
  boundAt: int8('bound_at').notNull(),
  unboundAt: int8('unbound_at'),
  unboundBy: text('unbound_by'),
})
export type WithdrawalAccountRow = typeof withdrawalAccount.$inferSelect

/** A deposit. `createdOn` is its business day: a member's own daily limit counts by it. */
export const deposit = pgTable('deposit', {
  id: text().primaryKey(),
  no: text().notNull().unique('deposit_no_unique'),
  memberId: text('member_id').notNull(),
  methodId: text('method_id').notNull(),
  amount: int8('amount').notNull(),
  proofUploadId: text('proof_upload_id'),
  status: text().$type<ReviewStatus>().notNull(),
  reason: text(),
  createdAt: int8('created_at').notNull(),
  createdOn: text('created_on').notNull(),
  decidedAt: int8('decided_at'),
  decidedBy: text('decided_by'),
  version: integer().notNull().default(1),
})
export type DepositRow = typeof deposit.$inferSelect

/** A withdrawal with its hold. `accountSealed` is the masked account at the time of the request, encrypted. */
export const withdrawal = pgTable('withdrawal', {
  id: text().primaryKey(),
  no: text().notNull().unique('withdrawal_no_unique'),
  memberId: text('member_id').notNull(),
  accountId: text('account_id').notNull(),
  accountSealed: bytea('account_sealed').notNull(),
  amount: int8('amount').notNull(),
  holdId: text('hold_id').notNull(),
  status: text().$type<ReviewStatus>().notNull(),
  endedAs: text('ended_as').$type<'paid' | 'refused' | 'cancelled'>(),
  approvedAt: int8('approved_at'),
  approvedBy: text('approved_by'),
  /** The bank's, of the payment. */
  reference: text(),
  reason: text(),
  createdAt: int8('created_at').notNull(),
  decidedAt: int8('decided_at'),
  decidedBy: text('decided_by'),
  version: integer().notNull().default(1),
})
export type WithdrawalRow = typeof withdrawal.$inferSelect
