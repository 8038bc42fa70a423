import { bigint, boolean, pgTable, text } from 'drizzle-orm/pg-core'
import type { AlertKind } from '../../../contract/priceAlerts.ts'

const integer = (name: string) => bigint(name, { mode: 'number' })

/** A price alert that waits; `price` in units of its product. */
export const priceAlert = pgTable('price_alert', {
  id: text().primaryKey(),
  no: integer('no').generatedAlwaysAsIdentity().notNull(),
  memberId: text('member_id').notNull(),
  productId: text('product_id').notNull(),
  kind: text().$type<AlertKind>().notNull(),
  rises: boolean().notNull(),
  price: integer('price').notNull(),
  priceDecimals: integer('price_decimals').notNull(),
  createdAt: integer('created_at').notNull(),
  afterSeq: integer('after_seq').notNull(),
  joined: boolean().notNull().default(false),
})
export type PriceAlertRow = typeof priceAlert.$inferSelect

/** How far the joined alerts of a product are judged. */
export const priceAlertProgress = pgTable('price_alert_progress', {
  productId: text('product_id').primaryKey(),
  seq: integer('seq').notNull(),
})
