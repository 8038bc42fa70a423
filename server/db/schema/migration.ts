import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** The migrations applied to this database; written by `migrate` only. */
export const migration = pgTable('migration', {
  id: integer().primaryKey(),
  name: text().notNull(),
  sha256: text().notNull(),
  appliedAt: timestamp('applied_at', { withTimezone: true }).notNull().defaultNow(),
})
