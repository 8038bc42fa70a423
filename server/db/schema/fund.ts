import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { FundLot, FundRecord } from '../../../contract/fund.ts'

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
  madeOn: text('made_on'),
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
  madeOn: text('made_on'),
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

/** The rate of a day that is over, in ten-thousandths; never changed afterwards. */
export const fundRate = pgTable('fund_rate', {
  onDay: text('on_day').primaryKey(),
  per10k: integer().notNull(),
})
