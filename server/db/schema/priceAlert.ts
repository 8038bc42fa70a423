import { bigint, boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { AlertKind } from '../../../contract/priceAlerts.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

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
