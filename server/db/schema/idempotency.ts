import { bigint, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'

/** The first answer to a request that moves money, stored for replays. */
export const idempotency = pgTable(
  'idempotency',
  {
    memberId: text('member_id').notNull(),
    method: text().notNull(),
    path: text().notNull(),
    key: text().notNull(),
    /** HMAC of the canonical body, with a secret outside the database. */
    fingerprint: text().notNull(),
    status: smallint().notNull(),
    /** JSON text as it was sent, encrypted except for an order's. */
    body: text().notNull(),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.method, table.path, table.key] })],
)
