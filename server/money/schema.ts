import { bigint, boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { LedgerType } from '../../contract/ledger.ts'
import type { ReviewStatus } from '../../contract/reviews.ts'
import { bytea } from '../platform/db/bytea.ts'
import type { FundLot, FundRecord } from '../../contract/fund.ts'
import type { SelfLimitField } from '../../contract/selfLimits.ts'
import type { FreezeReason } from '../../contract/freeze.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

const minorUnits = (name: string) => bigint(name, { mode: 'number' }).notNull()
const movedAmount = (name: string) => minorUnits(name).default(0)

/** A member's balance, in minor units; changed by postings only. `version` is the id of the newest posting. */
export const balance = pgTable('balance', {
  memberId: text('member_id').primaryKey(),
  available: movedAmount('available'),
  held: movedAmount('held'),
  stakes: movedAmount('stakes'),
  fund: movedAmount('fund'),
  /**
   * Σ results of settled orders and fund earnings: in total, on the business day `today_on`, in the week that began on the
   * Monday `week_on`, and in the month `month_on`.
   */
  pnl: movedAmount('pnl'),
  todayPnl: movedAmount('today_pnl'),
  todayOn: text('today_on').notNull().default(''),
  weekPnl: movedAmount('week_pnl'),
  weekOn: text('week_on').notNull().default(''),
  monthPnl: movedAmount('month_pnl'),
  monthOn: text('month_on').notNull().default(''),
  version: movedAmount('version'),
})
export type BalanceRow = typeof balance.$inferSelect

/** One balanced transaction of the ledger: the change per account (Σ = 0) and the member's balance after it. */
export const posting = pgTable(
  'posting',
  {
    memberId: text('member_id').notNull(),
    /** Counts from 1 per member, without holes. */
    id: minorUnits('id'),
    at: minorUnits('at'),
    type: text().$type<LedgerType>().notNull(),
    /** The signed amount in the capital record. */
    amount: minorUnits('amount'),
    available: movedAmount('available'),
    held: movedAmount('held'),
    stakes: movedAmount('stakes'),
    fund: movedAmount('fund'),
    house: movedAmount('house'),
    grants: movedAmount('grants'),
    external: movedAmount('external'),
    pnl: movedAmount('pnl'),
    availableAfter: minorUnits('available_after'),
    heldAfter: minorUnits('held_after'),
    stakesAfter: minorUnits('stakes_after'),
    fundAfter: minorUnits('fund_after'),
    pnlAfter: minorUnits('pnl_after'),
    refKind: text('ref_kind').notNull(),
    refId: text('ref_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.id] })],
)
export type PostingRow = typeof posting.$inferSelect

/** Money set aside until an external decision; resolved once, by its row in `hold_resolution`. */
export const hold = pgTable('hold', {
  id: text().primaryKey(),
  memberId: text('member_id').notNull(),
  source: text().$type<'available' | 'fund'>().notNull(),
  amount: minorUnits('amount'),
  refKind: text('ref_kind').notNull(),
  refId: text('ref_id').notNull(),
  at: minorUnits('at'),
})

export const holdResolution = pgTable('hold_resolution', {
  holdId: text('hold_id')
    .primaryKey()
    .references(() => hold.id),
  outcome: text().$type<'posted' | 'voided'>().notNull(),
  at: minorUnits('at'),
})

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
  /** Credited by one person, it is withdrawable once a second one has confirmed it. */
  awaitsSecond: boolean('awaits_second').notNull().default(false),
  confirmedAt: int8('confirmed_at'),
  confirmedBy: text('confirmed_by'),
  /** What was taken back when it was rejected after its credit; null if it was not. */
  reversed: int8('reversed'),
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
  /** The reference in the one form in which references are compared. */
  referenceKey: text('reference_key'),
  /** One transfer paid this withdrawal and another one. */
  sharedTransfer: boolean('shared_transfer').notNull().default(false),
  reason: text(),
  createdAt: int8('created_at').notNull(),
  decidedAt: int8('decided_at'),
  decidedBy: text('decided_by'),
  version: integer().notNull().default(1),
})
export type WithdrawalRow = typeof withdrawal.$inferSelect

const whole = (name: string) => bigint(name, { mode: 'number' }).notNull()

/** What a member has in the fund, in minor units; `confirmed + pending` is the ledger's `fund`. */
export const fundAccount = pgTable('fund_account', {
  memberId: text('member_id').primaryKey(),
  confirmed: whole('confirmed').default(0),
  pending: whole('pending').default(0),
  owed: whole('owed').default(0),
  carried: whole('carried').default(0),
  totalEarned: whole('total_earned').default(0),
  begunOn: text('begun_on').notNull(),
  usedOn: text('used_on').notNull().default(''),
  depositsUsed: integer('deposits_used').notNull().default(0),
  withdrawalsUsed: integer('withdrawals_used').notNull().default(0),
  fastUsed: whole('fast_used').default(0),
  version: whole('version').default(0),
})
export type FundAccountRow = typeof fundAccount.$inferSelect

/** One deposit, or all earnings together; lots are consumed oldest first. */
export const fundLot = pgTable('fund_lot', {
  id: text().primaryKey(),
  no: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  memberId: text('member_id').notNull(),
  kind: text().$type<FundLot['kind']>().notNull(),
  amount: whole('amount'),
  remaining: whole('remaining'),
  status: text().$type<FundLot['status']>().notNull(),
  depositedAt: whole('deposited_at'),
  confirmOn: text('confirm_on').notNull(),
  madeOn: text('made_on').notNull(),
})

/** An entry of the member's fund record: a movement or an earning. */
export const fundRecord = pgTable('fund_record', {
  id: text().primaryKey(),
  no: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  memberId: text('member_id').notNull(),
  kind: text().$type<FundRecord['kind']>().notNull(),
  mode: text().$type<'fast' | 'standard'>(),
  amount: whole('amount'),
  status: text().$type<FundRecord['status']>().notNull(),
  at: whole('at'),
  onDay: text('on_day').notNull(),
  holdId: text('hold_id'),
  madeOn: text('made_on').notNull(),
})

/** One day's earnings of one member; the primary key makes sure that a day counts once. */
export const fundEarning = pgTable(
  'fund_earning',
  {
    memberId: text('member_id').notNull(),
    onDay: text('on_day').notNull(),
    amount: whole('amount'),
    confirmed: whole('confirmed'),
    per10k: integer().notNull(),
    carried: whole('carried'),
    at: whole('at'),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.onDay] })],
)

/** The rate of a completed day, in ten-thousandths; never changed afterwards. */
export const fundRate = pgTable('fund_rate', {
  onDay: text('on_day').primaryKey(),
  per10k: integer().notNull(),
})

/**
 * One limit that a member set: minor units, or the business instant of `excludedUntil`; null is no limit. From the
 * business instant `nextAt` on, `nextValue` applies instead.
 */
export const memberLimit = pgTable(
  'member_limit',
  {
    memberId: text('member_id').notNull(),
    field: text().$type<SelfLimitField>().notNull(),
    value: int8('value'),
    nextValue: int8('next_value'),
    nextAt: int8('next_at'),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.field] })],
)

/** A freeze of a member's account. It is renewed or ended, and its row stays. */
export const memberFreeze = pgTable('member_freeze', {
  id: text().primaryKey(),
  memberId: text('member_id').notNull(),
  reason: text().$type<FreezeReason>().notNull(),
  tellMember: boolean('tell_member').notNull(),
  fromAt: int8('from_at').notNull(),
  untilAt: int8('until_at').notNull(),
  renewals: integer().notNull().default(0),
  endedAt: int8('ended_at'),
  endedBy: text('ended_by'),
})

export type MemberFreezeRow = typeof memberFreeze.$inferSelect
