import { bigint, boolean, integer, jsonb, numeric, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Direction } from '../../contract/orders.ts'
import type { FinalStatus, RefundReason } from '../../contract/settle.ts'
import { bytea } from '../platform/db/bytea.ts'
import { termColumns } from '../market/index.ts'
import type { AlertKind } from '../../contract/priceAlerts.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

/** The stored status: `settling` depends on the clock and is derived when an order is read. */
export type StoredStatus = 'accepted' | 'open' | FinalStatus

/**
 * A timed order. Prices are integers at `price_decimals`, money is in minor units. The columns of rule R2 are null for
 * R1: its terms, and as its exit the mean (an integer at `price_decimals` + 1), the sum that gives it, how many prices
 * it has, and the first and last tick.
 */
export const orders = pgTable('orders', {
  id: text().primaryKey(),
  no: text().notNull().unique('orders_no_unique'),
  memberId: text('member_id').notNull(),
  key: text().notNull(),
  productId: text('product_id').notNull(),
  direction: text().$type<Direction>().notNull(),
  amount: int8('amount').notNull(),
  seconds: integer().notNull(),
  rateBp: integer('rate_bp').notNull(),
  ...termColumns(),
  source: text().notNull(),
  acceptedAt: int8('accepted_at').notNull(),
  validUntil: int8('valid_until').notNull(),
  closeAt: int8('close_at').notNull(),
  status: text().$type<StoredStatus>().notNull(),
  entrySeq: int8('entry_seq'),
  entryAt: int8('entry_at'),
  entryPrice: int8('entry_price'),
  exitSeq: int8('exit_seq'),
  exitAt: int8('exit_at'),
  exitPrice: int8('exit_price'),
  exitValue: numeric('exit_value'),
  exitSum: numeric('exit_sum'),
  exitTicks: integer('exit_ticks'),
  exitFrom: int8('exit_from'),
  exitTo: int8('exit_to'),
  settledAt: int8('settled_at'),
  payout: int8('payout'),
  reason: text().$type<RefundReason>(),
  version: integer().notNull().default(1),
  /** What its receipt has besides: the head of the product's chain at acceptance, and the name of the log. Null before receipts. */
  headSeq: int8('head_seq'),
  headHash: bytea('head_hash'),
  logOrigin: text('log_origin'),
})
export type OrderRow = typeof orders.$inferSelect

/** Orders of one settled batch whose members have no message about the result yet. */
export const resultOutbox = pgTable('result_outbox', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  orderIds: jsonb('order_ids').$type<string[]>().notNull(),
})

/** How many orders of a product ended how on a day in UTC, the number of days since 1970. */
export const outcomeTally = pgTable(
  'outcome_tally',
  {
    productId: text('product_id').notNull(),
    day: integer().notNull(),
    won: int8('won').notNull(),
    lost: int8('lost').notNull(),
    tied: int8('tied').notNull(),
    refunded: int8('refunded').notNull(),
    /** The rates of the won and lost orders, in basis points, added up. */
    rateSum: int8('rate_sum').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.productId] })],
)

/** A price alert that waits; `price` in units of its product. */
export const priceAlert = pgTable('price_alert', {
  id: text().primaryKey(),
  no: int8('no').generatedAlwaysAsIdentity().notNull(),
  memberId: text('member_id').notNull(),
  productId: text('product_id').notNull(),
  kind: text().$type<AlertKind>().notNull(),
  rises: boolean().notNull(),
  price: int8('price').notNull(),
  priceDecimals: integer('price_decimals').notNull(),
  createdAt: int8('created_at').notNull(),
  afterSeq: int8('after_seq').notNull(),
  joined: boolean().notNull().default(false),
})
export type PriceAlertRow = typeof priceAlert.$inferSelect

/** How far the joined alerts of a product are judged. */
export const priceAlertProgress = pgTable('price_alert_progress', {
  productId: text('product_id').primaryKey(),
  seq: int8('seq').notNull(),
})
