import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { LedgerType } from '../../../contract/ledger.ts'

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
