import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'

/** A code issued by the back office. It opens `uses` accounts, any number if null, and none once it is revoked. */
export const openingCode = pgTable('opening_code', {
  code: text().primaryKey(),
  no: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  issuedAt: bigint('issued_at', { mode: 'number' }).notNull(),
  issuedBy: text('issued_by').notNull(),
  uses: integer(),
  revokedAt: bigint('revoked_at', { mode: 'number' }),
  revokedBy: text('revoked_by'),
})
export type OpeningCodeRow = typeof openingCode.$inferSelect
