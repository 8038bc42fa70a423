import { bigint, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/** What the operator has set and the database checks with: JSON by key, from `sinceAt` on, until a newer row. */
export const operatorSetting = pgTable(
  'operator_setting',
  {
    key: text().notNull(),
    sinceAt: bigint('since_at', { mode: 'number' }).notNull(),
    value: jsonb().notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.sinceAt] })],
)
