import { jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** The venue's own state: one JSON value per key. */
export const setting = pgTable('setting', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})
