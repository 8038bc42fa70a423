import { bigint, boolean, jsonb, pgTable, text } from 'drizzle-orm/pg-core'

/** The current leader: one row (see `db/lease.ts`). */
export const lease = pgTable('lease', {
  single: boolean().primaryKey().default(true),
  term: bigint({ mode: 'number' }).notNull(),
  holder: jsonb().notNull(),
  address: text().notNull(),
})
